terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# The API does not list attachments; it requires kcid to remove one.
resource "kcloud_account_policy" "readers" {
  name       = "readers"
  statements = jsonencode([{ effect = "allow", action = ["kos:GetObject"], resource = ["*"] }])
}

resource "kcloud_account_policy_attachment" "readers" {
  policy_id = kcloud_account_policy.readers.id
  kcid      = "team-reports"
}
