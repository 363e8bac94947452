terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# The secret is shown once, and kept in the state. Whoever is to have it to himself gives recipient_public_key. A change
# of rotate_when_changed makes the new key before the old one goes, which takes a one-time password.
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
