// Package backend stands in for one of Terraform's remote-state backends: they are nested modules that cannot be had
// from a module proxy, and no test of a provider stores its state in one. All of them keep it in memory.
package backend

import (
	"github.com/hashicorp/terraform/internal/backend"
	"github.com/hashicorp/terraform/internal/backend/remote-state/inmem"
)

// New is what Terraform's list of backends calls.
func New() backend.Backend {
	return inmem.New()
}
