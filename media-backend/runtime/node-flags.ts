/**
 * How Node runs the fleet; the image says the same. By itself its heap waits for a hundred megabytes of
 * garbage before it cleans up, and a young generation grows with every image that passes through. The bytes
 * of files that pass through count towards the same limit: with one of their own they have the whole heap
 * gone through for every fifth image, a third of all that an image costs the process.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--initial-old-space-size=48',
  '--heap-growing-percent=50',
  '--external-memory-accounted-in-global-limit',
] as const
