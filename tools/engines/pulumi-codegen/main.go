// Command pulumi-codegen runs the code generators of Pulumi.
//
//	pulumi-codegen LANGUAGE SCHEMA FOLDER    writes the SDK of a package for nodejs, python or go
//
// Under the name pulumi-language-LANGUAGE, it is a language host that generates SDKs, programs and projects, but runs no
// programs.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if language, isHost := strings.CutPrefix(filepath.Base(os.Args[0]), "pulumi-language-"); isHost {
		exitOn(serve(generators[language]))
		return
	}
	if len(os.Args) != 4 {
		exitOn(fmt.Errorf("usage: pulumi-codegen LANGUAGE SCHEMA FOLDER"))
	}
	exitOn(writeSdk(os.Args[1], os.Args[2], os.Args[3]))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeSdk(language, schemaFile, folder string) error {
	generator, isKnown := generators[language]
	if !isKnown {
		return fmt.Errorf("there is no generator for %s", language)
	}
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, err := generator.sdk(pkg, packageOptions{})
	if err != nil {
		return err
	}
	return writeFiles(folder, files)
}

func writeFiles(folder string, files map[string][]byte) error {
	for name, data := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
