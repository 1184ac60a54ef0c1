/**
 * How Node runs the fleet; the image says the same. By itself its heap waits for a hundred megabytes of
 * garbage before it cleans up, and a young generation grows with every image that passes through.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--initial-old-space-size=48',
  '--heap-growing-percent=50',
] as const
