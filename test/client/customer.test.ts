import { expect, test } from "@jest/globals";
import { createCustomer } from "../../provider/client/customer.ts";

const uuid = "0b6d5a5e-5a3c-4f6e-9a51-6d1a4c9c2f10";
const other = "11111111-2222-4333-8444-555555555555";

test("the customer is cut out of the first full KRN that an answer holds", () => {
  const customer = createCustomer(undefined);
  for (const told of [
    "",
    "[]",
    `{"id":"${other}"}`,
    '{"krn":"krn:vpc:In-Bangalore-1:1:***:vpc:3"}',
    '{"krn":"krn:vm:In-Bangalore-1:default:default:image:3"}',
    `{"krn":"krn:vm:In-Bangalore-1:7:${other}:image:3"}`,
  ])
    customer.learn(told);
  expect(customer.id()).toBeUndefined();
  customer.learn(`{"rows":[{"krn":"krn:vpc:In-Bangalore-1:1:${uuid}:vpc:3"}]}`);
  customer.learn(`{"krn":"krn:vpc:In-Bangalore-1:1:${other}:vpc:3"}`);
  expect(customer.id()).toBe(uuid);
});

test("a customer that is configured stays, whatever answers tell", () => {
  const customer = createCustomer(uuid);
  customer.learn(`{"krn":"krn:vpc:In-Bangalore-1:1:${other}:vpc:3"}`);
  expect(customer.id()).toBe(uuid);
});
