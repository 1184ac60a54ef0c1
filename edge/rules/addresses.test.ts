import { describe, expect, test } from 'vitest'
import { isPublicIp, isPublicWebAddress } from './addresses.ts'

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

describe('an address to fetch for a caller', () => {
  test.each(HOSTILE)('%s is refused', (address) => {
    const url = URL.parse(address)
    expect(url !== null && isPublicWebAddress(url)).toBe(false)
  })

  test.each(PUBLIC)('%s is taken', (address) => {
    expect(isPublicWebAddress(new URL(address))).toBe(true)
  })
})

test.each([
  ['8.8.8.8', true],
  ['::ffff:8.8.8.8', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['not an address', false],
  ['', false],
])('the resolved address %j is public: %s', (ip, isPublic) => {
  expect(isPublicIp(ip)).toBe(isPublic)
})
