terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# A destroy requires a one-time password: SERVICE_OTP, or otp_command of the provider.
resource "kcloud_bucket" "orders" {
  name       = "shop-orders"
  versioning = true
  tags       = { team = "orders" }
}

output "url" {
  value = kcloud_bucket.orders.url
}
