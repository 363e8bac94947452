package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// host answers the requests of a language host that generate code.
type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	generator generator
}

// serve prints the port of the host and answers requests until the engine ends the process.
func serve(of generator) error {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, &host{generator: of})
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d\n", handle.Port)
	return <-handle.Done
}

func (*host) Handshake(context.Context, *pulumirpc.LanguageHandshakeRequest) (*pulumirpc.LanguageHandshakeResponse, error) {
	return &pulumirpc.LanguageHandshakeResponse{}, nil
}

func (*host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "3.259.0"}, nil
}

// InstallDependencies and Link change nothing: a test installs the SDKs itself.
func (*host) InstallDependencies(
	*pulumirpc.InstallDependenciesRequest, pulumirpc.LanguageRuntime_InstallDependenciesServer,
) error {
	return nil
}

func (*host) Link(context.Context, *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	return &pulumirpc.LinkResponse{}, nil
}

func (of *host) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewCachedLoader(loader), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if !diagnostics.HasErrors() {
		files, err := of.generator.sdk(pkg, packageOptions{
			request.ExtraFiles, request.LocalDependencies, request.Local, schema.NewCachedLoader(loader),
		})
		if err != nil {
			return nil, err
		}
		if err := writeFiles(request.Directory, files); err != nil {
			return nil, err
		}
	}
	return &pulumirpc.GeneratePackageResponse{
		Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics),
	}, nil
}

func (of *host) GenerateProgram(
	_ context.Context, request *pulumirpc.GenerateProgramRequest,
) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	parser := syntax.NewParser()
	for name, text := range request.Source {
		if err := parser.ParseFile(strings.NewReader(text), name); err != nil {
			return nil, err
		}
	}
	program, diagnostics, err := pcl.BindProgram(
		parser.Files, schema.NewCachedLoader(loader), bindOptions(request.Strict)...)
	if err != nil {
		return nil, err
	}
	answer := &pulumirpc.GenerateProgramResponse{}
	if !diagnostics.HasErrors() {
		files, more, err := of.generator.program(program)
		if err != nil {
			return nil, err
		}
		answer.Source = files
		diagnostics = append(diagnostics, more...)
	}
	answer.Diagnostics = plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)
	return answer, nil
}

func (of *host) GenerateProject(
	_ context.Context, request *pulumirpc.GenerateProjectRequest,
) (*pulumirpc.GenerateProjectResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	var project workspace.Project
	if err := json.Unmarshal([]byte(request.Project), &project); err != nil {
		return nil, err
	}
	diagnostics, err := of.writeProject(request, project, schema.NewCachedLoader(loader))
	if err != nil {
		return nil, err
	}
	return &pulumirpc.GenerateProjectResponse{
		Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics),
	}, nil
}

func (of *host) writeProject(
	request *pulumirpc.GenerateProjectRequest, project workspace.Project, loader schema.ReferenceLoader,
) (hcl.Diagnostics, error) {
	program, diagnostics, err := pcl.BindDirectory(
		request.SourceDirectory, loader, bindOptions(request.Strict)...)
	if err != nil || diagnostics.HasErrors() {
		return diagnostics, err
	}
	if err := os.MkdirAll(request.TargetDirectory, 0o755); err != nil {
		return nil, err
	}
	return diagnostics, of.generator.project(
		request.TargetDirectory, project, program, request.LocalDependencies)
}

func bindOptions(isStrict bool) []pcl.BindOption {
	options := []pcl.BindOption{pcl.PreferOutputVersionedInvokes}
	if isStrict {
		return options
	}
	return append(options, pcl.NonStrictBindOptions()...)
}
