import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { goImport, projects, runGo, runPython } from "./language.ts";

/** Runs unit tests of users, with mocks of Pulumi in place of the plugin. */

const python = `import unittest
import pulumi

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return [args.name + "-id", {**args.inputs, "status": "available"}]

    def call(self, args):
        return {"id": "found", "networkId": args.args["id"]}

pulumi.runtime.set_mocks(Mocks())
import pulumi_kcloud as kcloud

class Shop(unittest.TestCase):
    @pulumi.runtime.test
    def test_volume(self):
        vpc = kcloud.Vpc("shop", primary_subnet={"name": "web", "cidr": "10.0.0.0/24"})
        volume = kcloud.Volume("orders", vpc_id=vpc.id, size_gb=20, volume_type=kcloud.VolumeType.SSD)
        found = kcloud.get_vpc_output(id=vpc.id)
        def check(values):
            self.assertEqual(values, ["shop-id", 20, "ssd", "available", "web", "shop-id"])
        return pulumi.Output.all(
            volume.vpc_id, volume.size_gb, volume.volume_type, volume.status, vpc.primary_subnet.name, found.network_id
        ).apply(check)
`;

const go = `package mock

import (
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	IMPORT
)

type mocks int

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	outputs := args.Inputs.Copy()
	outputs["status"] = resource.NewStringProperty("available")
	return args.Name + "-id", outputs, nil
}

func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }

func TestVolume(t *testing.T) {
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		vpc, err := kcloud.NewVpc(ctx, "shop", &kcloud.VpcArgs{})
		if err != nil {
			return err
		}
		volume, err := kcloud.NewVolume(ctx, "orders", &kcloud.VolumeArgs{
			VpcId: vpc.ID(), SizeGb: pulumi.Int(20), VolumeType: pulumi.String(kcloud.VolumeTypeSsd),
		})
		if err != nil {
			return err
		}
		var done sync.WaitGroup
		done.Add(1)
		pulumi.All(volume.VpcId, volume.SizeGb, volume.Status).ApplyT(func(all []interface{}) error {
			if all[0] != "shop-id" || all[1] != 20 || all[2] != "available" {
				t.Errorf("the volume has %v", all)
			}
			done.Done()
			return nil
		})
		done.Wait()
		return nil
	}, pulumi.WithMocks("shop", "dev", mocks(0)))
	if err != nil {
		t.Fatal(err)
	}
}
`;

test("a unit test in Python reads the outputs of mocked resources", async () => {
  await mkdir(projects("python"), { recursive: true });
  await writeFile(join(projects("python"), "mock.py"), python);
  expect(await runPython("python", "mock")).toMatch(/^test_volume .* ok\n\n-+\nRan 1 test .*\n\nOK\n$/);
});

test("a unit test in Go reads the outputs of mocked resources", async () => {
  await mkdir(join(projects("go"), "mock"));
  await writeFile(join(projects("go"), "mock/mock_test.go"), go.replace("IMPORT", goImport));
  expect(await runGo("test", "-mod=mod", "-count=1", "./mock")).toMatch(/^ok\s+programs\/mock\s/);
});
