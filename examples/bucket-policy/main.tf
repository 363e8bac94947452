terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_bucket" "orders" {
  name = "shop-orders"
}

# The addresses that can access the bucket.
resource "kcloud_bucket_policy" "orders" {
  bucket_id      = kcloud_bucket.orders.id
  read_write_ips = ["10.0.0.0/24"]
  read_only_ips  = ["192.0.2.10", "2001:db8::/32"]
}
