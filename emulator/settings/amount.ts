import * as z from "zod";

/** Duration in milliseconds. */
export const milliseconds = z.int().min(0);

/** Number of things, from 1. */
export const amount = z.int().min(1);
