// Made by scripts/python-tables.py from Python 3.13 (Unicode 15.1.0): do not edit.
// Numbers in base 36. The engine's own \p{…} classes follow a Unicode version that differs from one Node to the next.

/** `\w`: gap and length of each run. */
export const wordRuns =
  "1c a 7 q 4 1 1 q 1b 1 7 2 1 1 3 2 1 3 1 n 1 v 1 cq 4 c e 5 7 1 1 1 3l 5 1 2 2 4 1 1 6 1 1 3 1 1 1 k 1 2b 1 3v 8 4m 1 12 2 1 6 15 " +
  "1z r 4 4 19 17 l a 4 2 1 2r 1 1 f 2 7 f 2 1 g 1 1 u t 2h b 1 e 17 9 2 4 1 5 m 4 1 9 1 3 1 n p 7 b 5 o 1 6 h 16 1m 1i 3 1 i 1 7 a " +
  "4 a 1 g 4 8 2 2 2 m 1 7 1 1 3 4 3 1 g 1 d 2 1 3 4 c 2 6 2 1 8 6 4 2 2 m 1 7 1 2 1 2 1 2 v 4 1 1 7 a 2 3 g 9 1 3 1 m 1 7 1 2 1 5 " +
  "3 1 i 1 f 2 4 a 9 1 b 8 2 2 2 m 1 7 1 2 1 5 3 1 u 2 1 3 4 a 1 7 b 1 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c m 1 l d i 8 1 3 1 n 1 g " +
  "3 1 q 3 2 1 2 2 4 a 8 7 1 1 4 8 1 3 1 n 1 a 1 5 3 1 v 2 1 2 4 a 1 2 h 9 1 3 1 15 2 1 g 1 5 3 1 a 4 j 1 6 5 i 3 o 1 9 1 1 2 7 v a " +
  "h 1c 1 2 c 7 9 a 13 2 1 1 1 5 1 o 1 1 1 a 1 2 9 1 2 5 1 1 9 a 2 4 w 1 v k c 8 1 10 r 5 37 17 k b 6 6 4 4 3 1 3 2 7 3 4 d c 1 1 a " +
  "6 12 1 1 5 1 2 17 1 99 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v e k 3 g g 2e 2 6 3 h8 2 h 1 q 5 23 3 b 7 i " +
  "d j e i e d 1 3 f 1g z 1 4 1 3 a 6 a m a 6 2h 7 5 2 y 1 1 5 1y a v 13 14 2 5 b 18 4 q 6 b 11 n 9 1h 17 a 6 a d 1 2l 1b h 8 3 a " +
  "15 u d 1k q 10 s a 3 1d 2 9 7 17 2 3 15 4 1 6 1 2 3 1 5 5c 1s 7q 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 7 1 1 3 3 1 7 3 4 2 6 4 " +
  "d 5 3 1 7 37 2 2 6 5 b 6 d 2t 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 1m k6 1o 26 m hi u vg 6d 6 4 3 2 9 1 2 12 1 1 " +
  "5 1 2 1k 7 1 g n 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 28 1 d1 3 p 9 7 5 2 5 4 2e 6 3 1 2i 1 4 5 17 1 2m 3 4 a w 1c g w a u 8 1 f w a " +
  "13 f 8w 534 1s h3h 1v 1a 2 7h 3 s k 1b g v 2 28 13 9 2 2v 2 1s 5 2 1 1 1 5 o g 1 3 1 4 1 n d 6 a 1g e 1e s a o 6 3 1 1 2 1 12 a " +
  "n p t 7 1b s b 6 5 1 p 1 15 n 3 1 8 4 a 6 n 3 1 3 1e 1 1 3 2 2 5 2 1 1 1 o 3 2 b 7 3 c 6 2 6 2 6 9 7 1 7 1 17 1 e 6 37 d a 6 8mc " +
  "c n 4 1d 6is a6 2 2y 12 7 c 5 5 1 1 a 1 d 1 5 1 1 1 2 1 2 1 30 x a3 i 1s 2 1i 14 c 38 5 1 3r j a 7 q 6 q b 2h 3 6 2 6 2 6 2 3 z " +
  "c 1 q 1 j 1 2 1 f 2 e y 3f c 19 c 1l h 2 6s t 3 1d g r 4 10 9 u 5 12 a u 2 10 4 8 1 5 16 4e 2 a 6 10 4 10 4 14 8 1g c b 1 f 1 7 " +
  "1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 2 v 2 12 8 9 1c j 1 2 5 x 4 q 1y 1k 4 k 2 1b f 4 1 3 1 " +
  "t a 9 n v 1 w w 8 1 s 6 5 g 1i a m 2 r 5 q n 7 28 21 1j 1f d 1f 7 16 c a 86 v 1 16 6 2 26 14 8 m b 4 r i 1a s k n c 1h q u 1 2 2 " +
  "1 d 19 w p 7 a 9 10 f a 4 1 2 1 8 z 3 1 c 1c e 4 b b 1 1 4 k b i 1 p j 2 1r 7 1 1 1 4 1 f 1 a 7 1b h a b 8 2 2 2 m 1 7 1 2 1 5 3 " +
  "1 i 1 c 5 4e 1h i 4 5 a 5 3 u 1c k 2 1 1 8 a 4m 1b 15 4 10 1c k 1 b a 12 17 d 1 7 a 1i r l c 4 7 55 18 38 2b c 8 2 1 2 8 1 2 1 o " +
  "f 1 1 1 e a 1y 8 2 13 g 1 1 1 s 1 a 14 7 1 l 1 b 1a j 1 i 21 7b 9 1 11 h 1 f t 5 u 34 7 1 2 1 12 l 1 9 a 6 6 1 2 1 w e 1 7 a 8m " +
  "j f 1 1 d 1 y s a 2e 1 f l 17 pm 2u 33 h 5g 218 2p f ts h 6 33t g7 6nt ft 7 v 1 a 6 27 1 a 6 u i 1c g 4 c a 1 7 1 l 5 j j4 2f 2x " +
  "23 5 1 1u d 1s 2 1 1 s 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 4di k c k 30 p 3r 2d 1 1z 1 2 2 " +
  "1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 p 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 8 2 1e 1ds v 6 6 79 1q " +
  "42 19 a 7 2 a 4 1 8x u i 18 4 a d2 s 4 a km 7 1 4 1 2 1 f 1 5h 2 9 1c 1w 7 1 4 a lz 1n 1 3 1 4 24 19 1 f 5e 4 1 r 1 2 1 1 2 1 1 " +
  "a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h g4 d 25f a sm wyo " +
  "w 37e 6 66 2 4g2 e 5rl f ha 1wi f2 15u 3t7 5 38g";

/** `\d`, runs of whole tens from 0 to 9. */
export const digitRuns =
  "1c a 17q a 3q a 5i a bg a 3a a 3a a 3a a 3a a 3a a 3a a 3a a 3a a 3a a 2o a 3a a 1y a 7q a 1y a 1fq a 12 a 8c a 3k a 4m a 6 a 52 " +
  "a 2e a 3q a 6 a r7q a iu a 12 a 5i a m a 2e a ba a geu a 13a a 1om a mk a 3k a 1o a 40 a 7q a 9i a 3a a ae a 2u a 2u a bq a 2u a " +
  "l2 a 6u a 1y a bq a eti a 2e a 3q a lf8 1e 1ts a bq a dy a uu a 3o6 a";

/** `\s` and `str.strip`. */
export const spaceRuns = "9 5 e 5 2s 1 q 1 4bj 1 1vj b t 2 5 1 1b 1 334 1";

/** What `repr` escapes (`not str.isprintable`). */
export const unprintableRuns =
  "0 w 2n y c 1 ju 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h " +
  "1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 " +
  "1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 " +
  "3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 " +
  "2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 " +
  "7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 ah 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q " +
  "6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 2m 2 a 6 a 6 e 1 b 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 " +
  "1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 " +
  "3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l 1ec 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y " +
  "q 1 2h c 5y q g 1 1r 1 2e 2 2v 5 17 1 2m 1 2c b 1c 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 " +
  "b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd " +
  "2 1i 7 1 w 16 6 1f 1 j 1 4 4 5 1 3r 4 5a 3 6 2 6 2 6 2 3 3 7 1 7 d 2 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m " +
  "t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 " +
  "1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 " +
  "q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k " +
  "b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 " +
  "y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a " +
  "t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts " +
  "g m 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 5 b 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 " +
  "f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 22 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 " +
  "4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 " +
  "2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 " +
  "3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 " +
  "9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo " +
  "w 37e 6 66 2 4g2 e 5rl f ha 1wi f2 15u 3t7 5 38g f9e8 6o 47bk";

/** Lower case: distance to the run's start, count, step, shift. */
export const lowerRuns =
  "1t q 1 w 3j n 1 w o 7 1 w 14 o 2 1 1c 1 1 -5j 2 3 2 1 7 8 2 1 h n 2 1 1a 1 1 -3d 1 3 2 1 8 1 1 5u 1 2 2 1 4 1 1 5q 1 1 1 1 2 2 1 " +
  "5p 2 1 1 1 3 1 1 27 1 1 1 5m 1 1 1 5n 1 1 1 1 2 1 1 5p 1 1 1 5r 2 1 1 5v 1 1 1 5t 1 1 1 1 4 1 1 5v 1 1 1 5x 2 1 1 5y 1 3 2 1 6 1 " +
  "1 62 1 1 1 1 2 1 1 62 3 1 1 1 2 1 1 62 1 1 1 1 2 2 1 61 2 2 2 1 4 1 1 63 1 1 1 1 4 1 1 1 8 1 1 2 1 1 1 1 2 1 1 2 1 1 1 1 2 1 1 2 " +
  "1 9 2 1 j 9 2 1 j 1 1 2 1 2 2 1 4 1 1 -2p 1 1 1 -1k 1 k 2 1 14 1 1 -3m 2 9 2 1 o 1 1 8bv 1 1 1 1 2 1 1 -4j 1 1 1 8bs 3 1 1 1 2 1 " +
  "1 -5f 1 1 1 1x 1 1 1 1z 1 5 2 1 8a 2 2 1 6 1 1 1 9 1 1 38 7 1 1 12 2 3 1 11 4 1 1 1s 2 2 1 1r 3 h 1 w i 9 1 w 18 1 1 8 9 c 2 1 s " +
  "1 1 -1o 3 1 1 1 2 1 1 -7 1 1 1 1 3 3 1 -3m 3 g 1 28 g w 1 w 28 h 2 1 16 r 2 1 1i 1 1 f 1 7 2 1 f 1c 2 1 2p 12 1 1c 29b 12 1 5ls " +
  "13 1 1 5ls 6 1 1 5ls k3 28 1 tzk 28 6 1 8 1pc 17 1 -2bk 19 3 1 -2bk 8z 23 2 1 4e 1 1 -5vj 2 1c 2 1 2w 8 1 -8 g 6 1 -8 g 8 1 -8 g " +
  "8 1 -8 g 6 1 -8 h 4 2 -8 f 8 1 -8 w 8 1 -8 g 8 1 -8 g 8 1 -8 g 2 1 -8 2 2 1 -22 2 1 1 -9 c 4 1 -2e 4 1 1 -9 c 2 1 -8 2 2 1 -2s e " +
  "2 1 -8 2 2 1 -34 2 1 1 -7 c 2 1 -3k 2 2 1 -3i 2 1 1 -9 8a 1 1 -5st 4 1 1 -6gv 1 1 1 -6di 7 1 1 s 1a g 1 g z 1 1 1 mr q 1 q 1fu " +
  "1c 1 1c 2o 1 1 1 2 1 1 -8af 1 1 1 -2xy 1 1 1 -89z 3 3 2 1 6 1 1 -8bg 1 1 1 -8al 1 1 1 -8bj 1 1 1 -8bi 2 1 1 1 3 1 1 1 9 2 1 -8cf " +
  "2 1e 2 1 2z 2 2 1 7 1 1 1 nym n 2 1 1s e 2 1 4i 7 2 1 g v 2 1 1z 2 2 1 4 1 1 -r9g 1 5 2 1 d 1 1 1 2 1 1 -wmg 3 2 2 1 6 a 2 1 k 1 " +
  "1 -wn8 1 1 1 -wnj 1 1 1 -wnf 1 1 1 -wn5 1 1 1 -wn8 2 1 1 -wlu 1 1 1 -wmi 1 1 1 -wlx 1 1 1 ps 1 8 2 1 g 1 1 -1c 1 1 1 -wn7 1 1 1 " +
  "-raw 1 2 2 1 9 1 1 1 6 2 2 1 v 1 1 1 h7w q 1 w yn 14 1 14 4w 10 1 14 5c b 1 13 c f 1 13 g 7 1 13 8 2 1 13 1d8 1f 1 1s 2e8 w 1 w " +
  "gww w 1 w o8w y 1 y";

/** Upper case, the first letter of it. */
export const upperRuns =
  "2p q 1 -w 2c 1 1 kn 16 1 1 -3w 1 n 1 -w o 7 1 -w 7 1 1 3d 2 o 2 -1 1c 1 1 -6g 2 3 2 -1 7 8 2 -1 f 1 1 ab 2 n 2 -1 1b 3 2 -1 5 1 " +
  "1 -8c 1 1 1 5f 3 2 2 -1 5 1 1 -1 4 1 1 -1 6 1 1 -1 3 1 1 2p 4 1 1 -1 1 1 1 4j 4 1 1 3m 3 3 2 -1 7 1 1 -1 5 1 1 -1 3 1 1 -1 4 2 2 " +
  "-1 5 1 1 -1 4 1 1 -1 2 1 1 1k 6 1 1 -1 1 1 1 -2 2 1 1 -1 1 1 1 -2 2 1 1 -1 1 1 1 -2 2 8 2 -1 f 1 1 -27 2 9 2 -1 h 1 1 -bq 2 1 1 " +
  "-1 1 1 1 -2 2 1 1 -1 4 k 2 -1 16 9 2 -1 p 1 1 -1 3 2 1 8cf 3 1 1 -1 5 5 2 -1 9 1 1 8bj 1 1 1 8bg 1 1 1 8bi 1 1 1 -5u 1 1 1 -5q 2 " +
  "2 1 -5p 3 1 1 -5m 2 1 1 -5n 1 1 1 wnj 4 1 1 -5p 1 1 1 wnf 2 1 1 -5r 2 1 1 wmg 1 1 1 wn8 2 1 1 -5t 1 1 1 -5v 1 1 1 wn8 1 1 1 8af " +
  "1 1 1 wn5 3 1 1 -5v 2 1 1 8al 1 1 1 -5x 3 1 1 -5y 8 1 1 89z 3 1 1 -62 2 1 1 wn7 1 1 1 -62 4 1 1 wmi 1 1 1 -62 1 1 1 -1x 1 2 1 " +
  "-61 2 1 1 -1z 6 1 1 -63 b 1 1 wlx 1 1 1 wlu 4n 1 1 2c 18 2 2 -1 6 1 1 -1 4 3 1 3m l 1 1 9 s 1 1 -12 1 3 1 -11 3 1 1 -b 1 h 1 -w " +
  "h 1 1 -v 1 9 1 -w 9 1 1 -1s 1 2 1 -1r 3 1 1 -1q 1 1 1 -1l 4 1 1 -1b 1 1 1 -1i 1 1 1 -8 2 c 2 -1 n 1 1 -2e 1 1 1 -28 1 1 1 7 1 1 " +
  "1 -38 2 1 1 -2o 3 1 1 -1 3 1 1 -1 1h w 1 -w w g 1 -28 h h 2 -1 16 r 2 -1 1j 7 2 -1 d 1 1 -f 2 1c 2 -1 40 12 1 -1c 12 1 1 -2a 289 " +
  "17 1 2bk 19 3 1 2bk l7 6 1 -8 1oo 1 1 -4tq 1 1 1 -4tp 1 1 1 -4tg 1 2 1 -4te 2 1 1 -4tf 1 1 1 -4t8 1 1 1 -4rp 1 1 1 r7m 6p 1 1 " +
  "r9g 4 1 1 2xy h 1 1 raw 37 23 2 -1 45 1 1 -5zi 1 1 1 -5z7 1 1 1 -5z5 1 1 1 -5z4 1 1 1 -5zt 1 1 1 -1n 6 1c 2 -1 2n 8 1 8 g 6 1 8 " +
  "g 8 1 8 g 8 1 8 g 6 1 8 g 1 1 -5gr 1 1 1 8 1 1 1 -5gt 1 1 1 8 1 1 1 -5gv 1 1 1 8 1 1 1 -5gx 1 1 1 8 9 8 1 8 g 2 1 22 2 4 1 2e 4 " +
  "2 1 2s 2 2 1 3k 2 2 1 34 2 2 1 3i 4 8 1 -3c 8 8 1 -3k 8 8 1 -2w 8 8 1 -34 8 8 1 -1k 8 8 1 -1s 8 3 1 8 3 1 1 -5k2 1 1 1 -5ke 2 1 " +
  "1 -5k5 1 1 1 -5k6 5 1 1 -5kb 2 1 1 -5k5 4 1 1 8 1 1 1 -5kc 1 1 1 -5kr 2 1 1 -5kf 1 1 1 -5kg 5 1 1 -5kl 4 2 1 8 2 1 1 -5kp 1 1 1 " +
  "-5kq 3 1 1 -5kt 1 1 1 -5ku 9 2 1 8 2 1 1 -5kt 1 1 1 -5ku 1 1 1 -5kz 1 1 1 7 1 1 1 -5kx 1 1 1 -5ky b 1 1 8 1 1 1 -5l6 1 1 1 -5lx " +
  "2 1 1 -5l9 1 1 1 -5la 5 1 1 -5lf 9e 1 1 -s y g 1 -g k 1 1 -1 ng q 1 -q 1gg 1c 1 -1c 1d 1 1 -1 4 1 1 -8bv 1 1 1 -8bs 2 3 2 -1 b 1 " +
  "1 -1 3 1 1 -1 b 1e 2 -1 2z 2 2 -1 7 1 1 -1 d 12 1 -5ls 13 1 1 -5ls 6 1 1 -5ls nx0 n 2 -1 1s e 2 -1 4i 7 2 -1 g v 2 -1 1z 2 2 -1 " +
  "5 5 2 -1 d 1 1 -1 5 2 2 -1 3 1 1 1c 3 a 2 -1 u 8 2 -1 j 2 2 -1 9 1 1 -1 6 2 2 -1 v 1 1 -1 nx 1 1 -ps t 28 1 -tzk fps 1 1 -1diy 1 " +
  "1 1 -1diz 1 1 1 -1dj0 1 1 1 -1dj1 1 1 1 -1dj2 1 1 1 -1diq 1 1 1 -1dir d 1 1 -1cjz 1 1 1 -1ck0 1 1 1 -1ck1 1 1 1 -1cjs 1 1 1 " +
  "-1ck3 tm q 1 -w yv 14 1 -14 4w 10 1 -14 5b b 1 -13 c f 1 -13 g 7 1 -13 8 2 1 -13 1dx 1f 1 -1s 2dc w 1 -w gww w 1 -w o8y y 1 -y";

/** Lower-case letters with the same upper case: code, count, the others. */
export const equalLetters =
  "2x 1 8h 37 1 an 51 1 qk 8h 1 2x an 1 37 n9 2 qh 69q pc 1 6ab q8 1 6ar qa 1 r4 qd 1 s5 qg 1 r5 qh 2 n9 69q qi 1 s0 qk 1 51 qo 1 " +
  "ra qp 1 s1 qq 1 qr qr 1 qq qu 1 r9 r4 1 qa r5 1 qg r9 1 qu ra 1 qo s0 1 qi s1 1 qp s5 1 qd tu 1 5mo tw 1 5mp u6 1 5mq u9 1 5mr " +
  "ua 2 5ms 5mt ui 1 5mu v7 1 5mv 5mo 1 tu 5mp 1 tw 5mq 1 u6 5mr 1 u9 5ms 2 ua 5mt 5mt 2 ua 5ms 5mu 1 ui 5mv 1 v7 5mw 1 wuj 601 1 " +
  "61n 61n 1 601 69q 2 n9 qh 6ab 1 pc 6ar 1 q8 wuj 1 5mw 1dl1 1 1dl2 1dl2 1 1dl1";
