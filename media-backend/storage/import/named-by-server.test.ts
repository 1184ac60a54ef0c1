import { expect, test } from 'vitest'
import { nameByServer } from './named-by-server.ts'

/** Returns the header as Node reads it. */
const received = (header: string) => Buffer.from(header, 'utf8').toString('latin1')

test.each([
  ['attachment; filename="clip.mp4"', 'clip.mp4'],
  ['attachment; filename=my clip (1).mp4;', 'my clip (1).mp4'],
  ["attachment; filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE%20(1).png", 'фото (1).png'],
  ["attachment; filename=x.png; filename*=UTF-8''%D1%84.png", 'ф.png'],
  ["attachment; filename*=iso-8859-1''%E9t%E9.png", 'été.png'],
  ['attachment; filename*="UTF-8\'\'%D1%84.png"', 'ф.png'],
  ["attachment; filename*=UTF-8''%ZZ.png; filename=ok.png", 'ok.png'],
  ['attachment; filename="фото.png"', 'фото.png'],
  ['attachment; filename="%D1%84.png"', 'ф.png'],
  ['attachment; filename="../../etc/pass\\\\wd.png"', 'wd.png'],
  ["attachment; filename*=UTF-8''a%2Fb%0D%0Ac%00.png", 'bc.png'],
  ['attachment; filename="100%.png"', '100%.png'],
])('reads %s', (header, name) => {
  expect(nameByServer(received(header))).toBe(name)
})

test('reads a name in Latin-1', () => {
  expect(nameByServer('attachment; filename="\xe9t\xe9.png"')).toBe('été.png')
})

test.each([undefined, '', 'inline', 'attachment; filename=""', 'attachment; filename="/"', 'a'.repeat(5000)])(
  'finds no name in %s',
  (header) => {
    expect(nameByServer(header)).toBeNull()
  },
)
