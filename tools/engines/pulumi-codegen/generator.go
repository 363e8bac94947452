package main

import (
	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

// packageOptions are the options of a request for an SDK.
type packageOptions struct {
	extraFiles        map[string][]byte
	localDependencies map[string]string
	isLocal           bool
	loader            schema.ReferenceLoader
}

// generator makes the texts of one language.
type generator struct {
	sdk     func(*schema.Package, packageOptions) (map[string][]byte, error)
	program func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	project func(folder string, project workspace.Project, program *pcl.Program, local map[string]string) error
}

// tool is the name of the generator in the texts that it writes.
const tool = "pulumi-language-host"

var generators = map[string]generator{
	"nodejs": {
		sdk: func(pkg *schema.Package, of packageOptions) (map[string][]byte, error) {
			return nodejs.GeneratePackage(tool, pkg, of.extraFiles, of.localDependencies, of.isLocal, of.loader)
		},
		program: nodejs.GenerateProgram,
		project: func(folder string, project workspace.Project, program *pcl.Program, local map[string]string) error {
			return nodejs.GenerateProject(folder, project, program, local, false, "nodejs")
		},
	},
	"python": {
		sdk: func(pkg *schema.Package, of packageOptions) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, of.extraFiles, of.loader)
		},
		program: python.GenerateProgram,
		project: func(folder string, project workspace.Project, program *pcl.Program, local map[string]string) error {
			return python.GenerateProject(folder, project, program, local, "", "")
		},
	},
	"go": {
		sdk: func(pkg *schema.Package, of packageOptions) (map[string][]byte, error) {
			return golang.GeneratePackage(tool, pkg, of.localDependencies)
		},
		program: golang.GenerateProgram,
		project: golang.GenerateProject,
	},
}
