// The path lies under Terraform's own, so that the backends below may import its internal packages.
module github.com/hashicorp/terraform/engine

go 1.26.4

require github.com/hashicorp/terraform v1.16.0

// Nested modules that no proxy serves: each is a copy of ./backend, put there before the build.
replace (
	github.com/hashicorp/terraform/internal/backend/remote-state/azure => ./stub/azure
	github.com/hashicorp/terraform/internal/backend/remote-state/consul => ./stub/consul
	github.com/hashicorp/terraform/internal/backend/remote-state/cos => ./stub/cos
	github.com/hashicorp/terraform/internal/backend/remote-state/gcs => ./stub/gcs
	github.com/hashicorp/terraform/internal/backend/remote-state/kubernetes => ./stub/kubernetes
	github.com/hashicorp/terraform/internal/backend/remote-state/oci => ./stub/oci
	github.com/hashicorp/terraform/internal/backend/remote-state/oss => ./stub/oss
	github.com/hashicorp/terraform/internal/backend/remote-state/pg => ./stub/pg
	github.com/hashicorp/terraform/internal/backend/remote-state/s3 => ./stub/s3
	github.com/hashicorp/terraform/internal/legacy => ./stub/legacy
)
