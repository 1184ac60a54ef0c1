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
  const args = [join(folder, 'decoder'), folder, join(root, 'secret'), ...ports.map(String)]
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
