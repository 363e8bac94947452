import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import { flavorList } from "../../resources/wire/flavor.ts";
import { imageList, imageRoutes } from "../../resources/wire/image.ts";
import { operation } from "../operation.ts";
import { acceptAny, idOf, limit, messageFields, optionalText, page, requiredText } from "../parameter.ts";

const section = "5";
const noHeader = { region: false } as const;
const diskFormat = field(
  z.enum(["qcow2", "vhd", "vhdx", "vmdk", "raw", "iso"]),
  "Format of the disk in the file.",
);

const importRoute = endpoint("create", "POST /vm/v1/image/bucket/{region}", undefined, noHeader);
const uploadRoute = endpoint("create", "POST /vm/v1/image/{region}", undefined, noHeader);
const formats = endpoint("read", "GET /vm/v1/image/disk-formats", z.array(z.string()), noHeader);

/** Operations of images and of instance types. */
export const image = {
  listImages: operation(imageList, {
    section,
    about: "Lists the images of a region, public ones included, in pages.",
    regional: true,
    parameters: { page, limit },
    request: (query, { region }) => ({ path: { region }, query: { ...query, region_id: region } }),
    listing: { rows: ["images"], page: { number: "page" }, size: "limit" },
  }),
  createImage: operation(imageRoutes.create, {
    section,
    about: "Starts the creation of an image from the boot volume of an instance.",
    parameters: {
      instanceKrn: idOf("instance", "ID of the instance."),
      name: requiredText("Name of the image."),
      description: optionalText("Free-text description of the image."),
    },
    request: ({ instanceKrn, name, description }) => ({
      path: { instance: instanceKrn },
      body: { name, instance_krn: instanceKrn, description },
    }),
    also: messageFields,
  }),
  deleteImage: operation(imageRoutes.delete, {
    section,
    about: "Deletes an image, or the snapshot of a volume.",
    parameters: { imageKrn: requiredText("ID of the image or of the snapshot.") },
    request: ({ imageKrn }) => ({ path: { image: imageKrn }, headers: acceptAny }),
  }),
  importImage: operation(importRoute, {
    section,
    about: "Starts the import of an image from a URL.",
    regional: true,
    parameters: { diskFormat, image: requiredText("URL of the file.") },
    request: (fields, { region }) => ({ path: { region }, form: { fields } }),
    also: messageFields,
  }),
  uploadImage: operation(uploadRoute, {
    section,
    about: "Uploads an image; the fields of the form are not documented.",
    regional: true,
    parameters: { diskFormat, fileName: requiredText("Name of the file, which names the image.") },
    content: "Content of the disk image.",
    request: ({ diskFormat, fileName }, { region, content }) => ({
      path: { region },
      form: {
        fields: { diskFormat },
        ...(content === undefined ? {} : { file: { field: "image", name: fileName, content } }),
      },
    }),
    also: messageFields,
  }),
  listDiskFormats: operation(formats, {
    section,
    about: "Lists the disk formats of images.",
    listing: { rows: [] },
  }),
  listFlavors: operation(flavorList, {
    section,
    about: "Lists the instance types of a region with their prices, in groups.",
    parameters: { type: field(z.optional(z.enum(["CPU", "GPU"])), "Kind of the instance types.") },
    request: (query) => ({ query }),
    listing: { rows: [] },
  }),
};
