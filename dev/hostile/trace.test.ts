import { expect, test } from 'vitest'
import { readTrace } from './trace.ts'

const ALLOWED = { folders: ['/tmp/job/'] }
const LISTENING =
  '1 getsockname(21, {sa_family=AF_INET, sin_port=htons(4000), sin_addr=inet_addr("127.0.0.1")}, [128 => 16]) = 0'

test.each([
  '1 openat(AT_FDCWD, "/tmp/job/a/source", O_RDONLY) = 3',
  '1 openat(AT_FDCWD, "source", O_RDONLY) = 3',
  '1 open("/usr/lib/libx264.so", O_RDONLY) = 3',
  '1 openat(AT_FDCWD, "/home/somebody/.config", O_RDONLY) = -1 ENOENT (No such file or directory)',
  '1 connect(18, {sa_family=AF_INET, sin_port=htons(4000), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
])('%s is allowed', (line) => {
  expect(readTrace([LISTENING, line], ALLOWED).faults).toEqual([])
})

test.each([
  '1 openat(AT_FDCWD, "/tmp/other/clip.ts", O_RDONLY) = 3',
  '1 openat(AT_FDCWD, "/tmp/job/../other/clip.ts", O_RDONLY) = 3',
  '1 openat(AT_FDCWD, "../../other/clip.ts", O_RDONLY) = 3',
  '1 openat(AT_FDCWD, "/etc/shadow", O_RDONLY) = 3',
  '1 connect(18, {sa_family=AF_INET, sin_port=htons(4001), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED',
  '1 connect(18, {sa_family=AF_INET, sin_port=htons(4000), sin_addr=inet_addr("10.0.0.1")}, 16) = 0',
  '1 connect(18, {sa_family=AF_INET6, sin6_port=htons(80)}, 28) = 0',
  '1 connect(18, {sa_family=AF_UNIX, sun_path="/run/docker.sock"}, 110) = 0',
])('%s is a fault', (line) => {
  expect(readTrace([LISTENING, line], ALLOWED).faults).toEqual([line])
})

test('joins the two lines of an interrupted call', () => {
  const lines = ['7 openat(AT_FDCWD, "/tmp/other/a", O_RDONLY <unfinished ...>', '8 +++ exited +++']
  expect(readTrace([...lines, '7 <... openat resumed>) = -1 ENOENT'], ALLOWED)).toMatchObject({
    opened: 1,
    faults: [],
  })
  expect(readTrace([...lines, '7 <... openat resumed>) = 3'], ALLOWED).faults).toHaveLength(1)
})
