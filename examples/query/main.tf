terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "vpc_id" {
  description = "Where to look for what stands in a VPC."
  type        = string
}
