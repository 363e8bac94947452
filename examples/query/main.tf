terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "vpc_id" {
  description = "VPC whose objects are listed."
  type        = string
}
