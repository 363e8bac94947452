//go:build tools

// Package engine pins the command that is built from this module.
package engine

import _ "github.com/hashicorp/terraform-plugin-docs/cmd/tfplugindocs"
