"""Runs inside the image: solves a challenge as yt-dlp does for a link, with a player that needs no network."""

import sys

from yt_dlp import YoutubeDL
from yt_dlp.extractor.youtube import YoutubeIE
from yt_dlp.extractor.youtube.jsc._builtin.quickjs import QuickJSJCP
from yt_dlp.extractor.youtube.jsc.provider import JsChallengeRequest, JsChallengeType, NChallengeInput

# Has the structure that the solver looks for in a player: a function that calls a method with "alr" and "yes", and
# returns an object that transforms the parameter n.
PLAYER = '''
(function () {
  var Address = function () { this.values = {} };
  Address.prototype = {
    set: function (name, value) { this.values[name] = value },
    get: function (name) { return this.values[name] },
    clone: function () { return this },
    transform: function () { this.values.n = this.values.n.split('').reverse().join('') },
  };
  var open = function (url, name, signature) {
    var address = new Address();
    address.set("alr", "yes");
    if (signature) address.set(name, decodeURIComponent(signature));
    return address;
  };
}).call(this);
'''


class Solver(QuickJSJCP):
    def _get_player(self, video_id, player_url):
        return PLAYER


class Log:
    prefix = 'solver'

    def __getattr__(self, _name):
        return lambda text, **_options: print(text, file=sys.stderr)


with YoutubeDL({'js_runtimes': {'quickjs': {'path': sys.argv[1]}}, 'cachedir': False}) as downloader:
    extractor = YoutubeIE(downloader)
    solver = Solver(extractor, Log(), {})
    challenge = NChallengeInput(player_url='https://www.youtube.com/player.js', challenges=['abc'])
    request = JsChallengeRequest(type=JsChallengeType.N, input=challenge, video_id='none')
    [response] = solver.bulk_solve([request])
    if response.error or response.response.output.results != {'abc': 'cba'}:
        raise SystemExit(f'The challenge was not solved: {response}')
    print('link: challenge solved')
