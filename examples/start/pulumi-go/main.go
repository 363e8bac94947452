package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"kcloud.invalid/iac/sdk/go/kcloud"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network, err := kcloud.NewVpc(ctx, "shop", nil)
		if err != nil {
			return err
		}
		_, err = kcloud.NewVolume(ctx, "orders", &kcloud.VolumeArgs{
			VpcId:      network.ID(),
			SizeGb:     pulumi.Int(20),
			VolumeType: kcloud.VolumeTypeSsd,
		})
		return err
	})
}
