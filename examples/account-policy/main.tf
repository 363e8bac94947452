terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_account_policy" "readers" {
  name = "readers"
  statements = jsonencode([
    { effect = "allow", action = ["kos:GetObject"], resource = ["*"] },
  ])
}
