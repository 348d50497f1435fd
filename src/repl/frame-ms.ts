/** Frame interval of the screen, in milliseconds: 30 frames per second. */
export const frameMs = 33;
