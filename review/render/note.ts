/** Note at a value that an import records although no response shows that of the object. */
export const uncomparedNote = "not compared: the API does not show it";
