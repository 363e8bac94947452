//go:build tools

// Package engine pins the command that is built from this module.
package engine

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
