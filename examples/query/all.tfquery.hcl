# terraform query -var vpc_id=… -generate-config-out=found.tf

list "kcloud_vpc" "all" {
  provider = kcloud
  limit    = 1000 # default: 100
}

list "kcloud_subnet" "all" {
  provider = kcloud
  config {
    vpc_id = var.vpc_id
  }
}

list "kcloud_security_group" "all" {
  provider = kcloud
  config {
    vpc_id = var.vpc_id
  }
}

list "kcloud_security_group_rule" "all" {
  provider = kcloud
  config {
    vpc_id = var.vpc_id
  }
}

list "kcloud_volume" "all" {
  provider = kcloud
  config {
    vpc_id = var.vpc_id
  }
}

list "kcloud_instance" "all" {
  provider = kcloud
  config {
    vpc_id = var.vpc_id
  }
}
