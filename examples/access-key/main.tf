terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# The API returns the secret once; the state stores it, or its encrypted form with recipient_public_key. A change of
# rotate_when_changed creates the new key before it deletes the old one, which requires a one-time password.
resource "kcloud_access_key" "backup" {
  name                = "backup"
  rotate_when_changed = { quarter = "2026-4" }

  lifecycle {
    create_before_destroy = true
  }
}

output "secret_key" {
  value     = kcloud_access_key.backup.secret_key
  sensitive = true
}
