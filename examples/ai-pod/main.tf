terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "model_key" {
  description = "Key that the pod gets its model with."
  type        = string
  sensitive   = true
  default     = "an example"
}

resource "kcloud_ai_pod" "train" {
  name                 = "train"
  template_id          = 1 # from the catalogue; or image_krn
  instance_type        = "p1.small"
  sshkey_name          = "demo-key"
  volume_disk_size_gb  = 50
  volume_mount_path    = "/workspace"
  expose_http_ports    = [8888]
  expose_tcp_ports     = [22]
  ssh_access           = true
  jupyter_notebook     = true
  power_state          = "running" # or "stopped"; unset leaves it unchanged
  restart_when_changed = { release = "1" }

  environment_variables = {
    MODEL_KEY = var.model_key
  }
}
