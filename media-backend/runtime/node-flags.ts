/**
 * Node options for the fleet, repeated in the Dockerfile. By default, 100 MB of garbage accumulates. File buffers
 * count toward the same limit, so every fifth image triggers a full collection, which takes a third of its CPU
 * time.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--initial-old-space-size=48',
  '--heap-growing-percent=50',
  '--external-memory-accounted-in-global-limit',
] as const
