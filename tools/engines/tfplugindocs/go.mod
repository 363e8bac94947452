module engine

go 1.25.8

require github.com/hashicorp/terraform-plugin-docs v0.25.0
