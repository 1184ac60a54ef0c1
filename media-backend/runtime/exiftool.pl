# Keeps exiftool loaded, because it takes far longer to start than to run: perl exiftool.pl EXIFTOOL END_LINE
# A request on standard input is the folder of a job and the arguments, one a line, and then an empty line. A new child
# runs it, so no file can change what exiftool does with others, and the kernel opens only that folder to the child.
# END_LINE and the status of the child follow the output. Commands in one request are separated by -execute, and each
# is quiet (-q), because others print a line of their own.
use strict;
use File::Basename;
require(dirname(__FILE__) . '/sandbox.pl') if $^O eq 'linux';

my ($exiftool, $end_line) = @ARGV;
my @libraries = (@INC, qw(/usr /lib /lib64), dirname($exiftool));

# exiftool waits here for arguments with -stay_open.
BEGIN {
  *CORE::GLOBAL::sysread = sub (*\$$;$) {
    my ($handle, $text, $length, $offset) = @_;
    return CORE::sysread($handle, $$text, $length, $offset // 0) unless "$handle" =~ /STAYOPEN$/;
    return length($$text = next_request());
  };
}

$| = 1;
keep_orphans() if $^O eq 'linux';
# An empty `-config` makes exiftool ignore the machine's configuration.
@ARGV = ('-config', '', '-stay_open', 'True', '-@', '-');
$Image::ExifTool::configFile = '';
warm_up();
$0 = $exiftool;
do $exiftool;
exit 1;

# Loads what most images need: does to an image of its own what jobs do to theirs.
sub warm_up {
  require Image::ExifTool;
  eval "require $_" for qw(Compress::Zlib Cwd Time::HiRes);
  my @makers = qw(Canon CanonRaw DJI Minolta Nikon Olympus PanasonicRaw Samsung Sigma Sony);
  eval "require Image::ExifTool::$_" for qw(Jpeg2000 MacOS Shortcuts), @makers;
  my $image = pack 'H*', 'ffd8ffda000801010000003f0000ffd9';
  my $first = Image::ExifTool->new;
  $first->SetNewValue($_, 'x') for qw(EXIF:Copyright XMP-dc:Title IPTC:Keywords Comment);
  $first->WriteInfo(\$image, \my $tagged);
  my $second = Image::ExifTool->new;
  $second->SetNewValuesFromFile(\$tagged, qw(EXIF:all XMP:all IPTC:all));
  $second->WriteInfo(\$image, \my $written);
  $second->ImageInfo(\$written);
}

# Returns in a child, with the arguments of a request.
sub next_request {
  for (;;) {
    my ($folder, @arguments) = read_request();
    my $child = fork // exit 1;
    if ($child == 0) {
      open STDIN, '<', '/dev/null';
      chdir $folder or exit 1;
      restrict_files(\@libraries, [], [$folder]) if $^O eq 'linux';
      return join "\n", @arguments, '-stay_open', 'False', '';
    }
    waitpid $child, 0;
    my $status = $?;
    # A child of the child could read and answer the requests of others.
    kill 'KILL', -getpgrp if waitpid(-1, 1) != -1;
    print "$end_line $status\n";
  }
}

sub read_request {
  my @lines;
  while (defined(my $line = <STDIN>)) {
    chomp $line;
    return @lines if $line eq '';
    push @lines, $line;
  }
  exit 0;
}
