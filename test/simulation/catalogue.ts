/** Objects that the emulator has from the start and that objects of a schedule refer to. */

export const volumeTypes = ["standard", "ssd", "HNSS"];

/** Public key whose private key does not exist. */
export const recipient = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2B/dCzznOlEv32ZUdx+B
ESLXu5bRzaxozofMKUBEQsrzFnQeVJ6HC5hJ2HBBfOiLZYnBU75UhezC7vWnXYGA
5k7nl3ckEktBa57ChkNS0pXpvr+GjCnFzQoUJjzrrJMEh8cKmXReOjAPRefxPU3r
2yFBGeVCojIoEX61Y+XCvlIOpS5JLP7aMpip9VHWNKk7igY/QhF5DF4Fwhj/Lb7V
eQynXlwwZXYnPhnIDAnbPKw/EyGiy12WUd/S22mZijuf/Fa+fmXb44keSziG2EQ2
Vl+gwQ9DBficZw9YUEwkWOxL7YdT+u0ORpD+Qn+AN98sNB2YG/BD5eWE5iMYJDpN
ZQIDAQAB
-----END PUBLIC KEY-----
`;

export const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
