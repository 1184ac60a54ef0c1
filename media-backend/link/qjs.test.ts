import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readIsolation } from '../runtime/sandbox.ts'

const WRAPPER = fileURLToPath(new URL('./qjs.pl', import.meta.url))

/** Stands in for a script that imports std and os. */
const SCRIPT = `
my %try = (
  read => sub { open(my $f, '<', '/etc/passwd') },
  beside => sub { open(my $f, '<', "$ENV{FOLDER}/secret") },
  write => sub { open(my $f, '>', "$ENV{FOLDER}/planted") },
  list => sub { opendir(my $d, $ENV{FOLDER}) },
  # Unlike fork, system waits without end where the limit of processes refuses a new one.
  program => sub {
    my $pid = fork;
    exec '/bin/true' or exit 1 if defined $pid && $pid == 0;
    defined $pid && waitpid($pid, 0) == $pid && $? == 0;
  },
  network => sub { socket(my $s, 2, 1, 0) },
  script => sub { open(my $f, '<', $0) },
);
print join ' ', sort grep { $try{$_}->() } keys %try;
`

const { landlock, seccomp } = readIsolation()

test.runIf(landlock > 0 && seccomp)('a script of a site reaches no file, program or network', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-qjs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = join(folder, 'script')
  await Promise.all([writeFile(script, SCRIPT), writeFile(join(folder, 'secret'), 'secret')])
  const env = { QJS_PROGRAM: '/usr/bin/perl', FOLDER: folder }
  const { stdout } = await promisify(execFile)(WRAPPER, [script], { env })
  expect(stdout).toBe('script')
})
