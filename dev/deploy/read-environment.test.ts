import { expect, test } from 'vitest'
import { readEnvironment } from './read-environment.ts'

test.each(['staging', 'production'])('%s is a whole section with resources of its own', (name) => {
  const { vars, r2_buckets, queues } = readEnvironment(name)
  expect(vars.ENVIRONMENT).toBe(name)
  expect(r2_buckets.map(({ binding }) => binding)).toEqual(['BUCKET'])
  expect(vars.S3_BUCKET).toBe(r2_buckets[0]?.bucket_name)
  expect(queues.producers.map(({ binding }) => binding)).toEqual(['DISPATCH', 'RECORDS'])
})

test('no resource belongs to two environments', () => {
  const resources = ['staging', 'production'].flatMap((name) => {
    const { r2_buckets, queues } = readEnvironment(name)
    return [
      ...r2_buckets.map(({ bucket_name }) => bucket_name),
      ...queues.producers.map(({ queue }) => queue),
    ]
  })
  expect(new Set(resources).size).toBe(resources.length)
})

test('an unknown environment is refused', () => {
  expect(() => readEnvironment('prod')).toThrow('no environment "prod". Use staging or production.')
  expect(() => readEnvironment('constructor')).toThrow('no environment')
})
