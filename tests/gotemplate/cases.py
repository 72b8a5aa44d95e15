"""Templates written by hand, with every construct and function; Go's answers are recorded."""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Any

INPUTS: dict[str, Any] = {
    "tenant": "Team One",
    "count": 3,
    "ratio": 0.5,
    "on": True,
    "off": False,
    "none": None,
    "empty": "",
    "tags": ["b", "a", "b"],
    "list": [1, 2.5, None, "x", [True]],
    "nothing": [],
    "labels": {"x": "1", "a.b/c": "d"},
    "app": {"version": "6.7.x", "port": 8080, "deep": {"er": "é"}},
    "text": "line 1\nline 2\n",
}

CONSTRUCTS = """
plain text, é, < and >
a << "x" >> b
a <<- "x" ->> b
a\t<<- " " >>  <<-" " ->> b
<</* a comment */>>
a <<- /* trimmed */ ->> b
<< /* not a comment */ >>
<</* unclosed
<</* early */ "x" >>
<< inputs.tenant >>|<< inputs.app.port >>|<< inputs.app.deep.er >>
<< inputs.missing >>
<< inputs.app.missing.more >>
<< inputs.tenant.more >>
<< (inputs.tenant).more >>
<< inputs.none.more >>
<< (inputs.none).more >>
<< .a >>
<< . >>
<< $ >>
<< $.a >>
<< inputs.none >>|<< inputs.list >>|<< inputs.labels >>|<< inputs >>
<< true >><< false >><< 1 >><< -1 >><< 1.0 >><< 1e6 >><< 0x1F >><< 0b11 >><< 0o17 >><< 017 >><< 'a' >><< '\\n' >><< 1_000 >>
<< 9223372036854775807 >>
<< 9223372036854775808 >>
<< 18446744073709551616 >>
<< 1.7976931348623157e308 >><< 1e-5 >><< 100000.0 >><< 1000000.0 >><< 123456789.125 >>
<< 1i >><< 1+2i >>
<< 8+i >>
<< float64 "-0" >>
<< 08 >>
<< 1.2.3 >>
<< "a\\tb\\u00e9\\x41\\101" >>
<< "bad \\q" >>
<< "unterminated >>
<< `raw "string" \\n` >>
<< 'ab' >>
<< '' >>
<< nil >>
<< nil | print >>
<< print nil >>
<< $x := 1 >><< $x >><< $x = 2 >><< $x >>
<< $x = 1 >>
<< $x >>
<< if true >><< $x := 1 >><< end >><< $x >>
<< $x := 1 >><< if true >><< $x = 2 >><< end >><< $x >>
<< $x := inputs.app >><< $x.port >>
<< $x, $y := 1 >>
<< if inputs.on >>yes<< end >>
<< if inputs.off >>yes<< else >>no<< end >>
<< if inputs.off >>1<< else if inputs.on >>2<< else >>3<< end >>
<< if inputs.empty >>1<< else if inputs.none >>2<< else if inputs.nothing >>3<< else >>4<< end >>
<< if $x := inputs.tenant >><< $x >><< end >>
<< if >>x<< end >>
<< if true >>x
<< end >>
<< else >>
<< if true >>x<< else >>y<< else >>z<< end >>
<< with inputs.app >><< .port >><< end >>
<< with inputs.none >>x<< else >>y<< end >>
<< with inputs.none >>x<< else with inputs.app >><< .version >><< else >>z<< end >>
<< with $a := inputs.app >><< $a.port >>=<< .port >><< end >>
<< with inputs.none >>x<< else if true >>y<< end >>
<< range inputs.tags >><< . >>,<< end >>
<< range $t := inputs.tags >><< $t >>,<< end >>
<< range $i, $t := inputs.tags >><< $i >>=<< $t >>,<< end >>
<< range $k, $v := inputs.labels >><< $k >>=<< $v >>,<< end >>
<< range inputs.labels >><< . >>,<< end >>
<< range inputs.nothing >>x<< else >>none<< end >>
<< range inputs.none >>x<< else >>none<< end >>
<< range 3 >><< . >><< end >>
<< range $i := inputs.count >><< $i >><< end >>
<< range 0 >>x<< else >>none<< end >>
<< range -1 >>x<< else >>none<< end >>
<< range $i, $x := 3 >>x<< end >>
<< range inputs.tenant >>x<< end >>
<< range 1.5 >>x<< end >>
<< range true >>x<< end >>
<< range inputs.list >><< . >>,<< end >>
<< range inputs.list >><< .x >><< end >>
<< $x := "" >><< range $x = inputs.tags >><< end >><< $x >>
<< $i := 0 >><< $x := "" >><< range $i, $x = inputs.tags >><< end >><< $i >><< $x >>
<< range inputs.tags >><< if eq . "a" >><< break >><< end >><< . >><< end >>
<< range inputs.tags >><< if eq . "a" >><< continue >><< end >><< . >><< end >>
<< range 2 >><< range 3 >><< if eq . 1 >><< break >><< end >><< . >><< end >>|<< end >>
<< range 3 >><< . >><< range inputs.missing | default list >><< else >><< break >><< end >>|<< end >>
<< range 3 >><< . >><< range list >><< else >><< break >><< end >>|<< end >>
<< range 3 >><< . >><< range list >><< else >><< continue >><< end >>|<< end >>
<< break >>
<< continue >>
<< range 3 >><< break 1 >><< end >>
<< range $a, $b, $c := inputs.tags >><< end >>
<< range $a, 1 := inputs.tags >><< end >>
<< define "t" >>[<< . >>]<< end >><< template "t" 1 >><< template "t" inputs.tenant >>
<< define "t" >>[<< . >>]<< end >><< template "t" >>
<< template "none" >>
<< block "b" inputs.app >><< .port >><< end >>
<< define "t" >>1<< end >><< define "t" >>2<< end >>
<< define "t" >> << end >><< define "t" >>2<< end >><< template "t" >>
<< define "t" >><< $ >><< end >><< $x := 1 >><< template "t" $x >>
<< define "t" >><< $x >><< end >><< $x := 1 >><< template "t" $x >>
<< define "t" >><< .x >><< end >><< template "t" inputs.app >>
<< define t >><< end >>
<< define "t" >>x
<< define "t" >>x<< else >>y<< end >>
<< block "t" . >>x<< else >>y<< end >>
<< if true >><< define "t" >><< end >><< end >>
<< template t >>
<< define "resourceset" >>x<< end >>
<< define "resourceset" >>x<< end >>y
<< inputs.tenant | upper | quote >>
<< (inputs.tenant | upper) | quote >>
<< (inputs).tenant >><< (inputs.app).deep.er >>
<< inputs.app | toJson | len >>
<< 1 | 2 >>
<< inputs.tenant | inputs.app >>
<< inputs.tenant 1 >>
<< "a" "b" >>
<< ("a") "b" >>
<< upper >>
<< upper "a" "b" >>
<< printf >>
<< quote | >>
<< | quote >>
<< >>
<< () >>
<< (1 >>
<< 1) >>
<< nope 1 >>
<< now >>
<< env "HOME" >>
<< inputs.a-b >>
<< inputs.tenant@ >>
<< @ >>
<< é >>
<< # >>
<< \\ >>
<< : >>
<< := 1 >>
<< 1
<< "a" | printf "%s" >>
a
  << if true >>
b
  << end >>
<< inputs.tags | first | upper >>
<< upper 1 >>
<< upper nil >>
<< upper inputs.none >>
<< upper inputs.count >>
<< repeat "a" "b" >>
<< repeat 1.5 "b" >>
<< repeat 1.0 "b" >>
<< ternary 1 2 "x" >>
<< hasKey 1 "x" >>
<< hasKey nil "x" >>
<< and true 0 "x" >><< and 1 2 >><< or 0 "" nil >><< or 0 "x" >><< not 1 >><< not nil >>
<< and false (fail "no") >><< or 1 (fail "no") >>
<< 1 | and 2 >><< 0 | or "" >>
<< and >>
<< len "é" >><< len inputs.tags >><< len inputs.labels >>
<< len 3 >>
<< len nil >>
<< len inputs.none >>
<< index inputs.tags 1 >><< index inputs.labels "x" >><< index inputs.labels "none" >><< index "abc" 1 >>
<< index inputs.tags 3 >>
<< index inputs.tags 4 >>
<< index inputs.tags "a" >>
<< index inputs.labels 1 >>
<< index nil 1 >>
<< index 1 1 >>
<< index inputs.list 4 0 >>
<< call nil >>
<< call inputs.tenant 1 >>
<< inputs.tenant | call >>
<< html "<a&'\\">" >><< js "it's <é>\\n" >><< urlquery "a b&é" >>
<< print 1 2 "a" 3 nil true >><< println 1 "a" >>
<< eq 1 1 >><< eq 1 2 1 >><< eq "a" "a" >><< eq nil nil >><< eq inputs.none nil >><< ne 1 2 >>
<< eq inputs.count 3 >><< eq 1.0 1 >>
<< eq 1 "1" >>
<< eq inputs.tags inputs.tags >>
<< eq inputs.tags nil >><< eq inputs.labels nil >>
<< eq inputs.tags inputs.labels >>
<< eq >>
<< lt 1 2 >><< le 2 2 >><< gt "b" "a" >><< ge 1.5 1.5 >>
<< lt 1 1.5 >>
<< lt true false >>
<< lt nil 1 >>
<< lt inputs.tags 1 >>
<< eq (index "a" 0) 97 >><< lt (index "a" 0) 98 >>
""".strip("\n").split("\n")

FUNCTIONS = """
hello
trunc 3 "abcdef"|trunc -3 "abcdef"|trunc 9 "abc"|trunc 1 "é"
trim " \\t a \\n"|trimAll "$" "$a$"|trimall "ab" "abcba"|trimPrefix "a" "abc"|trimSuffix "c" "abc"
upper "aéß"|lower "AÉ"|title "hello wörld-x y_z"
substr 1 3 "abcdef"|substr -1 2 "abc"|substr 1 -1 "abc"|substr 2 1 "abc"
repeat 3 "ab"|repeat 0 "ab"|repeat -1 "ab"
contains "b" "abc"|hasPrefix "a" "abc"|hasSuffix "a" "abc"
quote "a\\"b" 1 nil true|squote "a'b" 1 nil
cat "a" 1 nil "b"|cat
indent 2 "a\\nb"|nindent 2 "a\\nb"|indent -1 "a"
replace "a" "bb" "banana"|replace "" "-" "ab"
plural "one" "many" 1|plural "one" "many" 2
sha1sum "a"|sha256sum "é"|adler32sum "abc"
toString 1.5|toString inputs.labels|toString nil
atoi "12"|atoi "x"|atoi "99999999999999999999"|atoi "-99999999999999999999"
int64 "7"|int64 1.9|int64 true|int64 nil|int "x"|int 3.7|float64 "1.5"|float64 "x"|float64 true
seq 5|seq 2 4|seq 1 2 9|seq 5 1|seq 0|seq 5 2 1|seq
toDecimal "777"|toDecimal 8|toDecimal 17
split "," "a,b"|splitList "," "a,b,"|splitn "," 2 "a,b,c"|splitList "" "aé"|splitn "," 0 "a"
(split "," "a,b")._1
toStrings inputs.list|toStrings 1|toStrings nil|join "-" inputs.list|join "," "a"
until 3|until -2|untilStep 0 10 3|untilStep 3 0 -1|untilStep 0 3 0
add1 2|add 1 2 "3"|sub 5 2|div 7 2|div -7 2|mod -7 2|mul 2 3 4|div 1 0|mod 1 0
add 9223372036854775807 1|div -9223372036854775808 -1
max 1 5 3|biggest 1 2|min 3 1 2|maxf 1.5 2|minf 1.5 "0.5"
ceil 1.2|floor -1.2|round 3.14159 2|round 2.5 0|round 123.456 -1|round 1.25 1 0.6
sortAlpha inputs.tags|sortAlpha 3|sortAlpha inputs.list
default "d" ""|default "d" "x"|default "d"|default "d" 0|default "d" nil
empty ""|empty 0|empty inputs|coalesce "" 0 nil "x"|coalesce nil|all 1 0|all|any 0 1|any
compact (list 0 1 "" "a" nil)|mustCompact 1
fromJson "{\\"a\\": [1, 2.5]}"|fromJson "bad"|mustFromJson "{"|mustFromJson "1 2"|mustFromJson "[1,]"
toJson inputs.list|toJson "<é>"|toPrettyJson inputs.app|toRawJson "<&>"|mustToJson 1|mustToPrettyJson (list)|mustToRawJson "<"
toJson (float64 "NaN")|mustToJson (float64 "inf")|toRawJson (float64 "inf")
ternary 1 2 true|ternary 1 2 false
typeOf 1|typeOf inputs.count|typeOf nil|typeOf inputs|typeOf (until 1)|typeIs "int" 1|typeIsLike "int" 1
kindOf inputs.tags|kindOf nil|kindIs "map" inputs|kindIs "string" 1
deepEqual inputs.tags (list "b" "a" "b")|deepEqual 1 1|deepEqual 1 1.0|deepEqual (splitList "," "a") (list "a")
base "/a/b.c"|dir "/a/b"|clean "a/../b//c"|ext "a.tar.gz"|isAbs "/a"|base ""|dir "a"|clean "//x"|clean "/.."
osBase "/a/b"|osDir "/a/b"|osClean "a/./b"|osExt "x.y"|osIsAbs "a"
b64enc "é"|b64dec "w6k="|b64dec "a"|b64dec "a!b="|b32enc "abc"|b32dec "MFRGG==="|b32dec "1"
list 1 "a" nil|tuple 1|dict "a" 1 "b"|dict "a" (list 1) "b" 2|dict 1 2
get inputs.labels "x"|get inputs.labels "none"|set (dict "a" 1) "b" 2|unset (dict "a" 1) "a"|hasKey inputs "tags"
pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" 3)|pick inputs.labels "x" "y"|omit inputs.labels "x"
keys (dict "a" 1)|values (dict "a" 1)
set nil "a" 1
append (list 1) 2|push (list 1) 2|mustAppend (list) 2|mustPush (list 1) nil|prepend (list 1) 0|mustPrepend (list 1) 0|append 1 2|append nil 1
first inputs.tags|mustFirst (list)|last inputs.tags|mustLast (list 1)|rest inputs.tags|mustRest (list)|initial inputs.tags|mustInitial (list 1)
first 1|first nil|last "a"|rest nil
reverse inputs.tags|mustReverse (list 1 2)|uniq inputs.tags|mustUniq (list 1 1.0 1)|without inputs.tags "a"|mustWithout (list 1 2) 2
has "a" inputs.tags|mustHas 1 (list 1)|has 1 nil|has 1 "x"
slice (list 1 2 3) 1|slice (list 1 2 3) 0 2|mustSlice (list 1 2 3)|slice (list) 1|slice "abc" 1|slice (list 1) 5
concat (list 1) (list 2 3)|concat|concat (list 1) 2|concat nil
dig "app" "port" 0 inputs|dig "app" "x" "none" inputs|dig "a" inputs|dig "tenant" "x" 0 inputs|dig 1 2 inputs|dig "a" "b" 3
chunk 2 (list 1 2 3)|mustChunk 1 (list 1 2)|chunk 2 (list)|chunk 0 (list 1)|chunk 2 "a"
fail "no way"
regexMatch "^a+$" "aaa"|mustRegexMatch "b" "abc"|regexMatch "(" "a"|mustRegexMatch "(" "a"
regexFind "[0-9]+" "a12b3"|mustRegexFind "x" "a"|regexFind "[" "a"
regexFindAll "[a-z]" "a1b2c" 2|mustRegexFindAll "x" "a" -1|regexFindAll "" "ab" -1
regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W"|mustRegexReplaceAll "a(x*)b" "-axb-" "$1W"|regexReplaceAllLiteral "a" "banana" "$1"|mustRegexReplaceAllLiteral "a" "a" "b"
regexSplit "[,;]" "a,b;c" -1|mustRegexSplit "z+" "pizza" 2|regexSplit "," "a" 0
regexQuoteMeta "a.b[c]"|regexFind "(?i)HELLO" "say Hello"|regexMatch "\\\\bfoo\\\\b" "a foo b"
urlParse "https://u:p@host:80/p/a?q=1#f"|urlParse "mailto:a@b"|urlParse "http://[::1"|urlParse "%zz"
urlJoin (dict "scheme" "https" "host" "h.io" "path" "/a b" "query" "x=1" "fragment" "f" "userinfo" "u:p")|urlJoin (dict "host" 1)
duration "90"|duration 90|duration inputs.count|durationRound "2h10m"|durationRound "x"|durationRound inputs.count
slugify "Hello, World: it's & \\"ok\\""|slugify "Ünïcödé Straße"|slugify (repeat 20 "word ")|slugify (repeat 70 "x")|slugify "__a--b__"|slugify "€100 £5"|slugify "Ωmega фича 北京 ½²©ﬁ😀"|slugify "a\\u0085B \\xff"
toYaml inputs|toYaml "a: b"|toYaml nil|mustToYaml (list 1 (list 2) (dict))|toYaml "multi\\nline"|toYaml (dict "a1" 1 "a10" 2 "a2" 3 "B" 4)
toYaml (list "yes" "1" "1.5" "" " a" "a " "#" "a #b" "- a" "null" "~" "2024-01-02" "12:30" "0x1" "'" "\\"" "é" "é\\x01")
toYaml (list (repeat 30 "word ") (repeat 100 "x") (list) (dict) 1e21 1.5 100000.0 -0.0)
inputs.app | toYaml | nindent 4 | trim
printf "%d %5d %-5d| %05d %+d %x %X %o %b %c %q %U %#x" 1 2 3 4 5 255 255 8 5 97 98 99 255
printf "%s %q %x %10s|%-10s|%.2s %v" "a" "b\\"" "hi" "r" "l" "long" "v"
printf "%f %.2f %8.3f %e %g %v %05.1f %+.1f" 1.5 2.345 3.14159 1000.0 1e21 0.1 2.5 1.25
printf "%t %v %T %T %T %T" true nil 1 "a" inputs inputs.tags
printf "%v %+v %#v %#v %#v" inputs.labels inputs.tags inputs.tags inputs.labels "a"
printf "%d %s %z" "a" 1 2|printf "%d"|printf "a" 1|printf "%[2]v %[1]v" 1 2|printf "%[3]v" 1|printf "%*d|%.*f" 5 1 2 1.234|printf "%" 1|printf "%%"
printf "%s" inputs.list|printf "%q" inputs.tags|printf "%5v" inputs.tags
inputs
randInt 3 1|ago 1|toDate "2006" "2020"
mustToDate 1 2|unixEpoch 1|must_date_modify "1h" 1|mustDateModify 1
println "a" 1|print|html 1 nil|js nil|urlquery 1 2
""".strip("\n").split("\n")

# In FUNCTIONS a bar without spaces separates calls; one with spaces is a pipeline.
CALLS = [f"<< {call} >>" for line in FUNCTIONS for call in re.split(r"(?<! )\|(?! )", line)]
MULTILINE = [
    "a:\n  << if true >>\n  b: << inputs.missing >>\n  << end >>\n",
    "é é\n  é << inputs.missing >>",
    '<< if true >>\nx\n<< "unterminated >>\n<< end >>',
    '<< if\n\n"x >>',
    "<<\n1\n2\n",
    '<< inputs.tags\n| join\n"," >>',
    "a\n<<- range inputs.tags ->>\n  - << . >>\n<< end ->>\nz",
    '<< define "x" >>\n<< .y >>\n<< end >><< template "x" inputs.app >>',
    "<< `raw\nstring` >>|<</* two\nlines */>>\n<< inputs.missing >>",
]
TEMPLATES = [*CONSTRUCTS, *CALLS, *MULTILINE]
