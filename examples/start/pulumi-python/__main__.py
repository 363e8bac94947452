import pulumi_kcloud as kcloud

network = kcloud.Vpc("shop")
kcloud.Volume("orders", vpc_id=network.id, size_gb=20, volume_type=kcloud.VolumeType.SSD)
