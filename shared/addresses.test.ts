import { describe, expect, test } from 'vitest'
import { isPublicIp, isPublicWebAddress, isWebPort } from './addresses.ts'

const HOSTILE = [
  'http://127.0.0.1/a',
  'http://127.0.0.1../a',
  'http://127.1/a',
  'http://2130706433/a',
  'http://0x7f.1/a',
  'http://0x7f000001/a',
  'http://0177.0.0.1/a',
  'http://0/a',
  'http://0.0.0.0/a',
  'http://10.0.0.1/a',
  'http://172.16.0.1/a',
  'http://192.168.1.1/a',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/a',
  'http://192.0.0.1/a',
  'http://198.18.0.1/a',
  'http://224.0.0.1/a',
  'http://240.0.0.1/a',
  'http://255.255.255.255/a',
  'http://[::1]/a',
  'http://[::]/a',
  'http://[::ffff:10.0.0.1]/a',
  'http://[::ffff:7f00:1]/a',
  'http://[::127.0.0.1]/a',
  'http://[64:ff9b::7f00:1]/a',
  'http://[2002:7f00:1::]/a',
  'http://[fe80::1]/a',
  'http://[fec0::1]/a',
  'http://[fc00::1]/a',
  'http://[ff02::1]/a',
  'http://localhost/a',
  'http://LOCALHOST/a',
  'http://localhost./a',
  'http://localhost../a',
  'http://api.localhost/a',
  'http://metadata.internal/a',
  'http://metadata.google.internal/a',
  'http://printer.local/a',
  'http://router.lan/a',
  'http://router.home.arpa/a',
  'http://host.localdomain/a',
  'http://intranet/a',
  'http://①②⑦.0.0.1/a',
  'http://user@media.example.org/a',
  'http://user:secret@media.example.org/a',
  'http://media.example.org:22/a',
  'http://media.example.org:25/a',
  'ftp://media.example.org/a',
  'file:///etc/passwd',
  'data:video/mp4;base64,AAAA',
  'javascript:alert(1)',
  'gopher://media.example.org/a',
]

const PUBLIC = [
  'https://media.example.org/clip.mp4',
  'http://media.example.org:8080/clip.mp4',
  'https://media.example.org:443/clip.mp4',
  'https://media.example.org./clip.mp4',
  'https://1.1.1.1/clip.mp4',
  'https://[2606:4700:4700::1111]/clip.mp4',
  'https://відео.укр/clip.mp4',
  'https://local.example.org/clip.mp4',
]

describe('validates a URL to download for a caller', () => {
  test.each(HOSTILE)('%s is refused', (address) => {
    const url = URL.parse(address)
    expect(url !== null && isPublicWebAddress(url)).toBe(false)
  })

  test.each(PUBLIC)('%s is allowed', (address) => {
    expect(isPublicWebAddress(new URL(address))).toBe(true)
  })
})

const PRIVATE_IPS = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1'],
  ...['192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
  ...['100::1', '5f00::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1'],
  // Unusual IPv4 notations are refused even for public addresses, because callers can write them in dotted decimal.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '::127.0.0.1', '::7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:a00:1::1'],
  ...[
    '',
    'not an address',
    'localhost',
    '127.1',
    '8.8',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '08.8.8.8',
  ],
  ...['2606:4700:4700::1111%eth0', '[2606:4700:4700::1111]', '8.8.8.8 ', '8.8.8.8:80', '256.1.1.1'],
]

test.each(PRIVATE_IPS)('the resolved address %j is not public', (ip) => {
  expect(isPublicIp(ip)).toBe(false)
})

const PUBLIC_IPS = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '172.15.255.255'],
  ...['172.32.0.1', '192.167.1.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'],
]

test.each(PUBLIC_IPS)('the resolved address %s is public', (ip) => {
  expect(isPublicIp(ip)).toBe(true)
})

test.each([
  ['', true],
  ['80', true],
  ['443', true],
  ['8080', true],
  [65_535, true],
  [65_536, false],
  [0, false],
  ['25', false],
  [1023, false],
  ['x', false],
])('HTTP is allowed at port %j: %s', (port, is_open) => {
  expect(isWebPort(port)).toBe(is_open)
})
