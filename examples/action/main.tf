# terraform apply -var instance_id=… -invoke=action.kcloud_instance_stop.web

terraform {
  required_version = ">= 1.14"
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "instance_id" {
  type = string
}

variable "release" {
  type    = string
  default = "1"
}

action "kcloud_instance_stop" "web" {
  config {
    instance_id = var.instance_id
  }
}

action "kcloud_instance_restart" "web" {
  config {
    instance_id = var.instance_id
  }
}

# A new release restarts the instance.
resource "terraform_data" "release" {
  input = var.release
  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.kcloud_instance_restart.web]
    }
  }
}
