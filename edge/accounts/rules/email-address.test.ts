import { describe, expect, test } from 'vitest'
import type { DnsFinding } from '../../platform/rules/dns-finding.ts'
import { isAcceptable, reachByHost, reachByMx, verdictAtSight, verdictOfReach } from './email-address.ts'

const listed = (domain: string) => domain === 'throwaway.example'

describe('verdict from the syntax of an address', () => {
  test.each([
    ['ada@example.com', null],
    ['ada@throwaway.example', 'disposable'],
    ['ada@Deep.Under.THROWAWAY.example', 'disposable'],
    ['ada@notthrowaway.example', null],
    ['ada@nowhere.invalid', 'no_domain'],
    ['ada@xn--80a1acn3a.xn--j1amh', null],
    ['ada@xn--80a1acn3a.XN--J1AMH', null],
    ['ada@example.xn--', 'invalid'],
    ['ada@example.xn--a-', 'invalid'],
    ['ада@example.com', 'invalid'],
    ['ada@пошта.укр', 'invalid'],
    ['ada', 'invalid'],
    ['ada@', 'invalid'],
    ['ada@localhost', 'invalid'],
    ['@example.com', 'invalid'],
    ['a b@example.com', 'invalid'],
    ['ada@example.com\r\nBcc: all@example.com', 'invalid'],
    [`${'a'.repeat(65)}@example.com`, 'invalid'],
    [`a@${'b'.repeat(250)}.com`, 'invalid'],
  ])('%j is %s', (email, verdict) => {
    expect(verdictAtSight(email, listed)).toBe(verdict)
  })
})

const found = (...records: string[]): DnsFinding => ({ outcome: 'records', records })
const empty = (outcome: DnsFinding['outcome']): DnsFinding => ({ outcome, records: [] })

describe('reachability from DNS records', () => {
  test.each([
    [found('10 mx.example.com.'), 'reachable'],
    [found('0 .'), 'unreachable'],
    [found('0 .', '10 mx.example.com.'), 'reachable'],
    [empty('no_name'), 'unreachable'],
    [empty('no_records'), null],
    [empty('unknown'), 'unknown'],
  ])('MX %j is %s', (finding, reach) => {
    expect(reachByMx(finding)).toBe(reach)
  })

  test.each([
    [[found('192.0.2.1'), empty('unknown')], 'reachable'],
    [[empty('no_records'), found('2001:db8::1')], 'reachable'],
    [[empty('no_records'), empty('no_records')], 'unreachable'],
    [[empty('no_records'), empty('unknown')], 'unknown'],
  ])('hosts %j are %s', (findings, reach) => {
    expect(reachByHost(findings)).toBe(reach)
  })

  test.each([
    ['reachable', 'ok', true],
    ['unknown', 'unknown', true],
    ['unreachable', 'no_domain', false],
  ] as const)('%s is %s', (reach, verdict, acceptable) => {
    expect(verdictOfReach(reach)).toBe(verdict)
    expect(isAcceptable(verdict)).toBe(acceptable)
  })
})
