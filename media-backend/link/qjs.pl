#!/usr/bin/perl
# Runs QuickJS for yt-dlp. A script from a site can import the modules `std` and `os` of QuickJS; here they find no file
# but the script itself, no network, and no other program.
use strict;

my $engine = $ENV{QJS_PROGRAM} // '/usr/bin/qjs';
my ($launcher) = map { s{[^/]*/[^/]*$}{runtime/sandbox.pl}r } $0;
my @execute = map { "execute=$_" } $engine, glob('/lib/ld-* /lib64/ld-* /lib/*/ld-*');
my @read = map { "read=$_" } qw(/lib /lib64 /usr/lib /etc/ld.so.cache), grep { -f } @ARGV;
exec $^X, $launcher, @execute, @read, 'as=2147483648', 'fsize=0', 'nproc=0', '--', $engine, @ARGV;
