/** Types of the pool module: undici declares types only for the package as a whole. */
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export default Pool;
}
