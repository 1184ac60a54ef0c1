import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startJobRunner } from '../testing/run-job.ts'

test('does not count the wait for memory as processing time', async () => {
  const runner = await startJobRunner({ IMAGE_MEMORY_BYTES_MAX: '1' })
  try {
    const create = { width: 3000, height: 2000, channels: 3, background: '#336699' } as const
    const input = await sharp({ create }).png().toBuffer()
    const spec: Parameters<typeof runner.run>[0] = {
      service_slug: 'image',
      operation_key: 'convert',
      filename: 'image.png',
      params: { format: 'webp' },
    }
    const start_ms = performance.now()
    const draw = async () => {
      const { outcome } = await runner.run(spec, { input })
      return { billed: outcome.processing_seconds, seconds: (performance.now() - start_ms) / 1000 }
    }
    const drawn = await Promise.all([draw(), draw(), draw()])
    const [, , last] = drawn.sort((one, other) => one.seconds - other.seconds)
    // The last of the three jobs waited for the other two.
    expect(last?.billed).toBeGreaterThan(0)
    expect(last?.billed).toBeLessThan((2 / 3) * (last?.seconds ?? 0))
  } finally {
    await runner.close()
  }
})
