/** What the emulator starts with, as far as objects of a schedule are made of it. */

export const volumeTypes = ["standard", "ssd", "HNSS"];

export const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
