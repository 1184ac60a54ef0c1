import { expect, test } from 'vitest'
import { checkIsolation, levelOf } from './check-isolation.ts'

test.each([
  [7, true, { files: true, network: true, ports: true, signals: true }],
  [4, true, { files: true, network: true, ports: true, signals: false }],
  [1, true, { files: true, network: true, ports: false, signals: false }],
  [0, true, { files: false, network: true, ports: false, signals: false }],
  [0, false, { files: false, network: false, ports: false, signals: false }],
] as const)(
  'with version %i of Landlock and seccomp %s, decoders are kept from %j',
  (landlock, seccomp, level) => {
    expect(levelOf({ landlock, seccomp })).toEqual(level)
  },
)

test.each([
  [0, true, 'Landlock'],
  [7, false, 'seccomp filters'],
  [0, false, 'Landlock and seccomp filters'],
] as const)(
  'a fleet that requires isolation does not start with Landlock %i and seccomp %s',
  (landlock, seccomp, what) => {
    const isolation = { landlock, seccomp }
    const check = (ENVIRONMENT: 'local' | 'production', DECODER_ISOLATION?: 'required' | 'optional') =>
      checkIsolation({ ENVIRONMENT, DECODER_ISOLATION }, isolation)
    expect(() => check('local', 'required')).toThrow(`has no ${what}, so`)
    expect(() => check('production')).toThrow(`has no ${what}, so`)
    expect(check('production', 'optional')).toEqual(check('local'))
  },
)
