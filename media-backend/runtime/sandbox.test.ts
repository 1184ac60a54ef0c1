import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProcess } from './process.ts'
import { readIsolation } from './sandbox.ts'

/** A program of a stranger in place of a decoder tries to leave its sandbox. */
const PLANTED = `
use Socket;
my ($folder, $secret, @ports) = @ARGV;
my $parent = getppid;
my %try = (
  environ => sub { open(my $f, '<', "/proc/$parent/environ") and defined(scalar <$f>) },
  memory => sub { open(my $f, '<', "/proc/$parent/mem") },
  files => sub { opendir(my $d, "/proc/$parent/fd") },
  secret => sub { open(my $f, '<', $secret) },
  outside => sub { open(my $f, '>', "$folder/../planted") },
  temporary => sub { open(my $f, '>', "/tmp/planted-$$") },
  link => sub { symlink $secret, "$folder/link" },
  hard_link => sub { link $secret, "$folder/hard" },
  signal => sub { kill 0, $parent },
  udp => sub { socket(my $s, PF_INET, SOCK_DGRAM, 0) },
  local_socket => sub { socket(my $s, PF_UNIX, SOCK_STREAM, 0) },
  inside => sub { open(my $f, '>', "$folder/inside") },
  granted => sub { tcp($ports[0]) },
  other_port => sub { tcp($ports[1]) },
  multipath => sub { tcp($ports[1], 262) },
  fast_open => sub { fast_open($ports[1]) },
);
sub tcp {
  my ($port, $protocol) = @_;
  my $s;
  socket($s, PF_INET, SOCK_STREAM, $protocol // 0) and connect($s, sockaddr_in($port, INADDR_LOOPBACK));
}
sub fast_open {
  my ($port) = @_;
  my $s;
  socket($s, PF_INET, SOCK_STREAM, 0) and defined send($s, 'x', 0x20000000, sockaddr_in($port, INADDR_LOOPBACK));
}
print join ' ', sort grep { $try{$_}->() } keys %try;
`

/**
 * Prints which system calls of a program of a stranger the filter does not refuse: its errors are EACCES, and ENOSYS for
 * calls that programs replace by others.
 */
const PLANTED_CALLS = `
use Errno;
use Socket;
my %number = @ARGV;
my ($NEWUSER, $SIGCHLD) = (0x10000000, 17);
# A child must not go on with the attempts of its parent.
sub forked { my $call = shift; my $pid = syscall($call, @_); exit 0 if $pid == 0; return $pid }
my %try = (
  datagram_pair => sub { socketpair(my $one, my $other, AF_UNIX, SOCK_DGRAM, 0) ? 0 : -1 },
  packet_pair => sub { socketpair(my $one, my $other, AF_UNIX, SOCK_SEQPACKET, 0) ? 0 : -1 },
  pair_of_another_family => sub { socketpair(my $one, my $other, 30, SOCK_STREAM, 0) ? 0 : -1 },
  stream_pair => sub { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) ? 0 : -1 },
  fork => sub { forked($number{clone}, $SIGCHLD, 0, 0, 0, 0) },
  clone3 => sub { my $flags = pack 'Q11', 0, 0, 0, 0, $SIGCHLD; forked($number{clone3}, $flags, 88) },
  clone3_user => sub { my $flags = pack 'Q11', $NEWUSER, 0, 0, 0, $SIGCHLD; forked($number{clone3}, $flags, 88) },
  unshare => sub { syscall($number{unshare}, $NEWUSER) },
  setns => sub { syscall($number{setns}, 0, 0) },
  open_tree => sub { syscall($number{open_tree}, -100, my $path = '/', 0) },
  fsopen => sub { syscall($number{fsopen}, my $name = 'tmpfs', 0) },
  mount_setattr => sub { syscall($number{mount_setattr}, -100, my $path = '/', 0, my $attributes = "\0" x 32, 32) },
);
for my $bit (17, 25 .. 30) { $try{"clone_$bit"} = sub { forked($number{clone}, 1 << $bit | $SIGCHLD, 0, 0, 0, 0) } }
sub refused { $!{EACCES} || $!{ENOSYS} }
print join ' ', sort grep { $! = 0; $try{$_}->() >= 0 || !refused() } keys %try;
`

/** Numbers of system calls. */
const CALLS = {
  ...(process.arch === 'arm64'
    ? { clone: 220, unshare: 97, setns: 268 }
    : { clone: 56, unshare: 272, setns: 308 }),
  ...{ clone3: 435, open_tree: 428, fsopen: 430, mount_setattr: 442 },
}

const { landlock, seccomp } = readIsolation()
const servers: Server[] = []
let folder: string
let root: string
let ports: number[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fleet-sandbox-'))
  folder = await mkdtemp(join(root, 'job-'))
  await writeFile(join(root, 'secret'), 'secret')
  await writeFile(join(folder, 'decoder'), PLANTED)
  await writeFile(join(folder, 'calls'), PLANTED_CALLS)
  ports = await Promise.all([listen(), listen()])
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(root, { recursive: true })
})

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.destroy())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns what a planted program succeeded in. */
async function attempt(url?: string): Promise<string[]> {
  return run([join(folder, 'decoder'), folder, join(root, 'secret'), ...ports.map(String)], url)
}

async function run(args: string[], url?: string): Promise<string[]> {
  const { stdout, stderr } = await runProcess('perl', args, {
    limits: { memory_bytes_max: 1024 ** 3, file_bytes_max: 1024 ** 2, cpu_seconds_max: 10 },
    ...{ folder, url, signal: AbortSignal.timeout(10_000) },
  })
  expect(stderr).toBe('')
  return stdout.split(' ')
}

test.runIf(landlock >= 6 && seccomp)('a program writes to its folder, and reaches nothing else', async () => {
  expect(await attempt()).toEqual(['inside'])
})

test.runIf(landlock >= 6 && seccomp)('a program connects only to the port of its input', async () => {
  expect(await attempt(`http://127.0.0.1:${ports[0]}/input`)).toEqual(['granted', 'inside'])
})

test.runIf(landlock > 0 && landlock < 6 && seccomp)(
  'an older kernel closes files and the network',
  async () => {
    expect((await attempt()).filter((name) => name !== 'signal')).toEqual(['inside'])
  },
)

test.runIf(landlock === 0 && seccomp)('a kernel without Landlock still closes the network', async () => {
  const reached = await attempt()
  expect(reached.filter((name) => ['granted', 'other_port', 'udp', 'local_socket'].includes(name))).toEqual(
    [],
  )
})

test.runIf(seccomp).each([
  ['no network', undefined],
  ['one port', 'http://127.0.0.1:9/input'],
])('a program with %s makes no namespaces, mounts or datagram sockets', async (_what, url) => {
  const numbers = Object.entries(CALLS).flat().map(String)
  expect(await run([join(folder, 'calls'), ...numbers], url)).toEqual(['fork', 'stream_pair'])
})
