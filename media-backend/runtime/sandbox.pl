# Starts a program that reads files of strangers: perl sandbox.pl [NAME=VALUE]... -- PROGRAM [ARGUMENT]...
# The program sees only the named files, has no network except one port of this machine, cannot look into other
# processes, stays within its limits, and ends with its parent (docs/isolation.md). Perl is on every Debian, and
# starts in the time of prlimit and setpriv. `perl sandbox.pl probe` prints what the kernel supports.
use strict;

my ($LANDLOCK_CREATE, $LANDLOCK_ADD, $LANDLOCK_RESTRICT) = (444, 445, 446);
my ($SET_PDEATHSIG, $SET_SECCOMP, $SET_CHILD_SUBREAPER, $SET_NO_NEW_PRIVS) = (1, 22, 36, 38);
my ($RLIMIT_CPU, $RLIMIT_FSIZE, $RLIMIT_DATA, $RLIMIT_CORE, $RLIMIT_NPROC, $RLIMIT_AS) = (0, 1, 2, 4, 6, 9);

# Numbers of system calls. Denied: io_uring (which opens sockets unseen), and everything that reaches into other
# processes, other namespaces, mounts or the kernel. Of `sends`, the second number is the place of the flags.
my @NEW = (425 .. 427, 428 .. 433, 438, 440, 442, 467);
my %X86 = (
  arch => 0xc000003e, prctl => 157, prlimit => 302, setpriority => 141, socket => 41, socketpair => 53, clone => 56,
  sends => [[44, 3], [46, 2], [307, 3]],
  denied => [@NEW, 101, 310 .. 312, 321, 298, 323, 248 .. 250, 165, 166, 155, 161, 272, 308, 304, 246, 175, 313],
);
my %ARM = (
  arch => 0xc00000b7, prctl => 167, prlimit => 261, setpriority => 140, socket => 198, socketpair => 199, clone => 220,
  sends => [[206, 3], [211, 2], [269, 3]],
  denied => [@NEW, 117, 270 .. 272, 280, 241, 282, 217 .. 219, 39 .. 41, 51, 97, 268, 265, 104, 105, 273],
);
my %call = machine() eq 'aarch64' ? %ARM : %X86;
my $CLONE3 = 435;
# Flags of `clone` that make namespaces. That of time shares its bits with the signal, so `clone` ignores it.
my $NAMESPACES = 0x7e020000;

# Rights of Landlock by bit. A program never makes links, devices or sockets: a symbolic link would lead this service
# to a file outside of the folder when it uploads the result.
my ($EXECUTE, $WRITE_FILE, $READ_FILE, $READ_DIR) = (1, 2, 4, 8);
my $MAKE = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8;
my ($REFER, $TRUNCATE, $IOCTL_DEV) = (1 << 13, 1 << 14, 1 << 15);
my $OF_FILES = $EXECUTE | $WRITE_FILE | $READ_FILE | $TRUNCATE | $IOCTL_DEV;

my $abi = syscall($LANDLOCK_CREATE, 0, 0, 1);
$abi = 0 if $abi < 0;
# exiftool.pl only needs the functions.
return 1 if caller;
if (($ARGV[0] // '') eq 'probe') {
  no_new_privileges();
  my $has_seccomp = syscall($call{prctl}, $SET_SECCOMP, 2, program_of([[0x06, 0, 0, 0x7fff0000]]), 0, 0) == 0 ? 1 : 0;
  print "$abi $has_seccomp\n";
  exit 0;
}

my (%limit, @read, @execute, @write, $port);
while (defined(my $option = shift @ARGV)) {
  last if $option eq '--';
  my ($name, $value) = split /=/, $option, 2;
  if ($name eq 'read') { push @read, $value }
  elsif ($name eq 'execute') { push @execute, $value }
  elsif ($name eq 'write') { push @write, $value }
  elsif ($name eq 'port') { $port = 0 + $value }
  else { $limit{$name} = $value }
}

syscall($call{prctl}, $SET_PDEATHSIG, 9, 0, 0, 0);
limit($RLIMIT_CORE, 0, 0);
limit($RLIMIT_AS, ($limit{as}) x 2) if defined $limit{as};
limit($RLIMIT_DATA, ($limit{data}) x 2) if defined $limit{data};
limit($RLIMIT_FSIZE, ($limit{fsize}) x 2) if defined $limit{fsize};
limit($RLIMIT_NPROC, ($limit{nproc}) x 2) if defined $limit{nproc};
limit($RLIMIT_CPU, split /:/, $limit{cpu}) if defined $limit{cpu};
syscall($call{setpriority}, 0, 0, 0 + $limit{nice}) if defined $limit{nice};
no_new_privileges();
restrict_files(\@read, \@execute, \@write, $port);
filter_calls();
exec { $ARGV[0] } @ARGV or do { print STDERR "$ARGV[0]: $!\n"; exit 127 };

sub machine { (split /\0+/, uname())[4] // '' }

sub uname {
  # The number differs between machines, and the call of the other machine changes nothing.
  for my $number (63, 160) {
    my $text = "\0" x 390;
    next if syscall($number, $text) != 0;
    return join "\0", map { unpack 'Z*', substr $text, $_ * 65, 65 } 0 .. 4 if $text =~ /^Linux\0/;
  }
  return '';
}

sub no_new_privileges { syscall($call{prctl}, $SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or die "no_new_privs: $!\n" }

# Makes processes whose parent has ended children of this one.
sub keep_orphans { syscall($call{prctl}, $SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "subreaper: $!\n" }

sub limit {
  my ($resource, $soft, $hard) = @_;
  # Nobody may raise a limit, so one that is lower already stays.
  my $old = "\0" x 16;
  syscall($call{prlimit}, 0, $resource, 0, $old);
  my ($old_hard) = (unpack 'QQ', $old)[1];
  $hard = $old_hard if $hard > $old_hard;
  $soft = $hard if $soft > $hard;
  syscall($call{prlimit}, 0, $resource, pack('QQ', $soft, $hard), 0) == 0 or die "limit $resource: $!\n";
}

# Closes all files except those in the named folders, and where the kernel can, all ports except one.
sub restrict_files {
  my ($read, $execute, $write, $port) = @_;
  return if $abi == 0;
  my $all = (1 << ($abi >= 5 ? 16 : $abi >= 3 ? 15 : $abi >= 2 ? 14 : 13)) - 1;
  my $ruleset = pack 'QQQ', $all, $abi >= 4 ? 3 : 0, $abi >= 6 ? 3 : 0;
  my $size = $abi >= 6 ? 24 : $abi >= 4 ? 16 : 8;
  my $rules = syscall($LANDLOCK_CREATE, $ruleset, $size, 0);
  die "landlock: $!\n" if $rules < 0;
  allow($rules, $_, $all & ($READ_FILE | $READ_DIR)) for @$read, '/proc/self';
  allow($rules, $_, $all & ($EXECUTE | $READ_FILE | $READ_DIR)) for @$execute;
  allow($rules, $_, $all & ($READ_FILE | $READ_DIR | $WRITE_FILE | $MAKE | $REFER | $TRUNCATE)) for @$write;
  allow($rules, $_, $all & ($READ_FILE | $WRITE_FILE)) for qw(/dev/null /dev/zero /dev/random /dev/urandom);
  if ($abi >= 4 && defined $port) {
    syscall($LANDLOCK_ADD, $rules, 2, pack('QQ', 2, $port), 0) == 0 or die "landlock port: $!\n";
  }
  syscall($LANDLOCK_RESTRICT, $rules, 0) == 0 or die "landlock: $!\n";
}

sub allow {
  my ($rules, $path, $rights) = @_;
  # O_PATH; a path that does not exist is not needed.
  sysopen(my $file, $path, 0x200000) or return;
  $rights &= $OF_FILES unless -d $path;
  syscall($LANDLOCK_ADD, $rules, 1, pack('Ql', $rights, fileno $file), 0) == 0 or die "landlock $path: $!\n";
}

# Codes of classic BPF: 0x20 loads a word, 0x15 compares, 0x45 tests bits, 0x54 masks, 0x06 returns.
sub filter_calls {
  my ($allow, $deny, $missing, $kill) = (0x7fff0000, 0x00050000 | 13, 0x00050000 | 38, 0x80000000);
  my @filter = ([0x20, 0, 0, 4], [0x15, 1, 0, $call{arch}], [0x06, 0, 0, $kill]);
  push @filter, [0x20, 0, 0, 0], [0x45, 0, 1, 0x40000000], [0x06, 0, 0, $deny];
  push @filter, [0x15, 0, 1, $_], [0x06, 0, 0, $deny] for @{ $call{denied} };
  # The flags of `clone3` are in memory, which a filter cannot read. Without it, programs use `clone`.
  push @filter, [0x15, 0, 1, $CLONE3], [0x06, 0, 0, $missing];
  push @filter, [0x15, 0, 4, $call{clone}], [0x20, 0, 0, 16], [0x45, 0, 1, $NAMESPACES], [0x06, 0, 0, $deny];
  push @filter, [0x20, 0, 0, 0];
  # Node connects its child processes by pairs of local streams. A datagram socket could send to any local address.
  push @filter, [0x15, 0, 7, $call{socketpair}], [0x20, 0, 0, 16], [0x15, 0, 3, 1], [0x20, 0, 0, 24], [0x54, 0, 0, 15];
  push @filter, [0x15, 1, 0, 1], [0x06, 0, 0, $deny], [0x20, 0, 0, 0];
  if (defined $port) {
    # Only TCP, because Landlock lets the rest connect anywhere: an address family of 2 or 10, a type of 1 without its
    # flags, and a protocol of 0 or 6, not Multipath TCP. MSG_FASTOPEN would connect without asking Landlock.
    for (@{ $call{sends} }) {
      my ($number, $flags) = @$_;
      push @filter, [0x15, 0, 4, $number], [0x20, 0, 0, 16 + 8 * $flags], [0x45, 0, 1, 0x20000000];
      push @filter, [0x06, 0, 0, $deny], [0x20, 0, 0, 0];
    }
    push @filter, [0x15, 0, 10, $call{socket}], [0x20, 0, 0, 16], [0x15, 1, 0, 2], [0x15, 0, 6, 10];
    push @filter, [0x20, 0, 0, 24], [0x54, 0, 0, 15], [0x15, 0, 3, 1];
    push @filter, [0x20, 0, 0, 32], [0x15, 2, 0, 0], [0x15, 1, 0, 6], [0x06, 0, 0, $deny];
  } else {
    push @filter, [0x15, 0, 1, $call{socket}], [0x06, 0, 0, $deny];
  }
  push @filter, [0x06, 0, 0, $allow];
  my $program = program_of(\@filter);
  return if syscall($call{prctl}, $SET_SECCOMP, 2, $program, 0, 0) == 0;
  # EINVAL: this kernel has no filters, which the start of the fleet reports.
  die "seccomp: $!\n" if $! != 22;
}

my $filter_bytes;
sub program_of {
  my ($filter) = @_;
  $filter_bytes = join '', map { pack 'SCCL', @$_ } @$filter;
  return pack 'S x6 P', scalar @$filter, $filter_bytes;
}
