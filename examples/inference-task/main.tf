# Tasks belong to a user of the inference service: SERVICE_USER, or user of the provider. They are billed until they
# end; removing this block cancels the task.

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

data "kcloud_checkpoints" "tuned" {}

resource "kcloud_inference_task" "chat" {
  name       = "chat"
  model      = "chat-small"
  checkpoint = data.kcloud_checkpoints.tuned.checkpoints[0]
  ngpu       = 1
  priority   = 5

  # Without wait_for the apply ends as soon as the task is accepted.
  wait_for = ["running"]

  # If false, a task that the API no longer shows is started, and billed, again.
  keep_when_gone = false
}

output "url" {
  value = kcloud_inference_task.chat.service_url
}
