// SPDX-License-Identifier: MIT
#include "wavelet/wavelet.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include <glib/gi18n-lib.h>

// Low-pass taps of the wavelet table, in sample order; wavelet.c normalises them.
//
// Spline filters (bior1.x, 2.x, 3.x) are whole numbers: Cohen, Daubechies and Feauveau,
// Biorthogonal bases of compactly supported wavelets, 1992, table 6.1. All others are the
// filters of PyWavelets 1.1.1 made exact: Newton's method at 60 digits, from its numbers,
// on the equations that define them: orthonormality to even shifts and as many zeros at
// the Nyquist frequency as half the taps (Daubechies, symlets), vanishing moments of both
// functions (coiflets), biorthogonality and zeros 4 + 4, 4 + 6 and 8 + 6 (bior4.4, 5.5,
// 6.8). This moved PyWavelets' numbers by at most 2e-12; then they were rounded to
// double.

static const double haar[] = { 1, 1 };

static const double db2[] = { 0.34150635094610965, 0.5915063509461097,
                              0.15849364905389035, -0.09150635094610966 };

static const double db3[]
    = { 0.23523360389208184,  0.5705584579157218,  0.3251825002631163,
        -0.09546720778416368, -0.0604161041551981, 0.024908749868441868 };

static const double db4[]
    = { 0.16290171402564918,  0.5054728575459144,   0.4461000691233798,
        -0.01978751311782232, -0.13225358368451987, 0.021808150237088625,
        0.023251800535490884, -0.007493494665180736 };

static const double db5[]
    = { 0.11320949129177918, 0.4269717713525142,    0.5121634721295986,
        0.09788348067390468, -0.17132835769146745,  -0.02280056594177365,
        0.05485132932106682, -0.004413400054179127, -0.008895935050977096,
        0.002358713969533936 };

static const double db6[]
    = { 0.07887121600145071,   0.3497519070376178,    0.531131879940869,
        0.22291566146501776,   -0.1599932994460614,   -0.09175903203014757,
        0.0689440464873723,    0.019461604854164663,  -0.022331874165094533,
        0.0003916255761485779, 0.0033780311814639377, -0.0007617669028012532 };

static const double db7[]
    = { 0.05504971537281185,    0.28039564181276255,  0.5155742458180986,
        0.3321862411055397,     -0.10175691123134624, -0.15841750564033283,
        0.050423232504694084,   0.05700172257987158,  -0.02689122629484544,
        -0.011719970782103288,  0.008874896189680764, 0.00030375749770106936,
        -0.0012739523590936865, 0.0002501134265612453 };

static const double db8[]
    = { 0.03847781105407624,    0.22123362357612492,     0.4777430752138737,
        0.4139082662111959,     -0.011192867666880218,   -0.20082931639048904,
        0.00033409704622011877, 0.09103817842365775,     -0.012281950522848408,
        -0.03117510332513943,   0.00988607964835076,     0.006184422409815923,
        -0.003443859628441809,  -0.00027700227447938935, 0.00047761485564962614,
        -8.306863068661269e-05 };

static const double db9[]
    = { 0.0269251747946628,     0.17241715190697796,     0.4276745321797076,
        0.4647728571831473,     0.09418477475318378,     -0.2073758809009385,
        -0.0684767745123831,    0.1050341711395062,      0.021726337730614543,
        -0.04782363206009703,   0.0001774464066165189,   0.015812082926255862,
        -0.0033398101131385774, -0.003027480287545066,   0.0013064836402472456,
        0.0001629073356760922,  -0.00017816487951077768, 2.7822757017154856e-05 };

static const double db10[]
    = { 0.018858578796120688,  0.1330610913969209,     0.37278753574323337,
        0.48681405536681993,   0.1988188708845087,     -0.1766681008970563,
        -0.13855493936048316,  0.09006372426669666,    0.06580149355053501,
        -0.050483285598389716, -0.020829624043800808,  0.023484907048698562,
        0.002550218483907239,  -0.00758950116792825,   0.0009866626824816026,
        0.0014088432950973382, -0.0004849739199282055, -8.235450304538897e-05,
        6.617718342555338e-05, -9.379207813750205e-06 };

static const double sym4[]
    = { 0.022785172947981127,  -0.008912350720835578, -0.07015881208927173,
        0.21061726710178855,   0.5683291217038203,    0.35186953432814994,
        -0.020955482562529763, -0.05357445070910291 };

static const double sym5[]
    = { 0.01381607647890391,  -0.014921249934330636, -0.12397568130647124,
        0.011739461568061892, 0.44829082418991606,   0.5115264834471958,
        0.1409953484269096,   -0.027672093058311035, 0.020873432210741654,
        0.019327397977383993 };

static const double sym6[]
    = { -0.005515933754688751, 0.0012499610463979226, 0.031625281330021744,
        -0.014891875649269698, -0.051362484930839246, 0.2389521856664347,
        0.556946391962869,     0.3472289864792177,    -0.03416156079328601,
        -0.08343160770607297,  0.002468306185923318,  0.01089235016329234 };

static const double sym7[]
    = { 0.007260697380977235, 0.0028356713428720607, -0.07623193594776738,
        -0.0990283534036613,  0.20409196986225916,   0.5428913549072109,
        0.3790813009818498,   0.012332829744305895,  -0.035039145611000654,
        0.04800738396773291,  0.021577726290979624,  -0.008935215825562053,
        -0.00074061295729776, 0.0018963292671016231 };

static const double sym8[]
    = { 0.001336396696405805,  -0.0002141971501219539, -0.010572843264189771,
        0.002693194376882713,  0.03474523295567647,    -0.019246760631703386,
        -0.0367312543805018,   0.2576993351871367,     0.5495533152683714,
        0.3403726735948683,    -0.04332680770292745,   -0.10132432764314635,
        0.005379305875281668,  0.02241181152183312,    -0.00038334544811626295,
        -0.0023917292557491822 };

static const double sym9[]
    = { 0.0007562436546811034,  -0.0003345707545655801, -0.007257789276472287,
        0.006264448120928876,   0.043895625777140235,   -0.012893222964711681,
        -0.13544689175223013,   0.024941415479061518,   0.4365242036747411,
        0.5076298954167562,     0.1688294618011277,     -0.038586080548729085,
        0.00041257046435469967, 0.0213722168012283,     -0.008151675612793929,
        -0.009384698418212276,  0.00043825126945147883, 0.000990596868243772 };

static const double sym10[]
    = { -0.00032479494839088004, 4.0330601498960776e-05, 0.0032478641893408954,
        -0.0005687676553368018,  -0.014393115971929217,  0.004076408391889161,
        0.03535178378114407,     -0.022620386152108304,  -0.025128270170304272,
        0.2714065055513984,      0.5441257653687296,     0.3335356692145782,
        -0.05012010750645878,    -0.11277948615997867,   0.008209434708170631,
        0.03247546230148164,     -0.0010361819602731374, -0.0061103213170447725,
        6.762250997110938e-05,   0.0005445852236221716 };

static const double coif1[]
    = { -0.05142972847076845, 0.23892972847076846,  0.6028594569415369,
        0.2721405430584631,   -0.05142972847076845, -0.011070271529231544 };

static const double coif2[]
    = { 0.011587596738716868, -0.029320137983468563,  -0.04763959031100813,
        0.2730210465347666,   0.5746823938568638,     0.2948671936956192,
        -0.05408560709171143, -0.042026480460771606,  0.016744410163279506,
        0.003967883612962012, -0.0012892033561406595, -0.0005095053991076441 };

static const double coif3[]
    = { -0.0026824186709220686, 0.005503126707831385,   0.016583560479170346,
        -0.046507764478726975,  -0.043220763560211914,  0.28650333527364746,
        0.56128525687033,       0.30298357177282415,    -0.050770140754888865,
        -0.05819625076158553,   0.024434094321166958,   0.011229240962037866,
        -0.006369601011048823,  -0.0018204589155662422, 0.0007902051009575939,
        0.000329665173793183,   -5.019277455327665e-05, -2.4465734255308132e-05 };

static const double coif4[]
    = { 0.0006309612114309468,  -0.0011522251437699736,  -0.005194525163470323,
        0.011362461483264823,   0.018867238569563058,    -0.057464241901927185,
        -0.03965265296244914,   0.29366740501610067,     0.5531264550395493,
        0.3071573096678857,     -0.04711273752389572,    -0.06803811467802057,
        0.02781363695846951,    0.017735831422703085,    -0.010756316155087249,
        -0.004001010844950535,  0.0026526649135305,      0.0008955939276952844,
        -0.0004165001950941709, -0.0001838296167136254,  4.408022661597207e-05,
        2.208284691230833e-05,  -2.3049191626765045e-06, -1.2621791799946222e-06 };

static const double coif5[]
    = { -0.00014996452283459502, 0.00025355275235803345,  0.0015402867259952224,
        -0.002941078164035693,   -0.007164112349410053,   0.016552183306492888,
        0.01991901719798432,     -0.06499837825472325,    -0.03680255347446874,
        0.29809590145871917,     0.5475082713540367,      0.30970025907842036,
        -0.04386731482823616,    -0.07464442013283971,    0.029194692775280737,
        0.023104572277066842,    -0.013971292686382005,   -0.006476749751505861,
        0.004781116799130658,    0.001719383484385504,    -0.0011749479344135376,
        -0.0004508222400696236,  0.00021344579750862916,  9.924691139873534e-05,
        -2.9146843886221307e-05, -1.5040317981976858e-05, 2.616809660013118e-06,
        1.4575029213551632e-06,  -1.1481996499029798e-07, -6.791060677322356e-08 };

static const double spline2[] = { 1, 2, 1 };

static const double spline3[] = { 1, 3, 3, 1 };

static const double bior1_3[] = { -1, 1, 8, 8, 1, -1 };

static const double bior1_5[] = { 3, -3, -22, 22, 128, 128, 22, -22, -3, 3 };

static const double bior2_2[] = { -1, 2, 6, 2, -1 };

static const double bior2_4[] = { 3, -6, -16, 38, 90, 38, -16, -6, 3 };

static const double bior2_6[]
    = { -5, 10, 34, -78, -123, 324, 700, 324, -123, -78, 34, 10, -5 };

static const double bior2_8[]
    = { 35,    -70,   -300,  670,  1228, -3126, -3796, 10718, 22050,
        10718, -3796, -3126, 1228, 670,  -300,  -70,   35 };

static const double bior3_1[] = { -1, 3, 3, -1 };

static const double bior3_3[] = { 3, -9, -7, 45, 45, -7, -9, 3 };

static const double bior3_5[] = { -5, 15, 19, -97, -26, 350, 350, -26, -97, 19, 15, -5 };

static const double bior3_7[] = { 35,    -105, -195,  865, 363, -3489, -307, 11025,
                                  11025, -307, -3489, 363, 865, -195,  -105, 35 };

static const double bior3_9[]
    = { -63,   189, 469,    -1911, -1308, 9188,  1140,  -29676, 190, 87318,
        87318, 190, -29676, 1140,  9188,  -1308, -1911, 469,    189, -63 };

static const double bior4_4[]
    = { 0.02674875741081009,  -0.016864118442874953, -0.07822326652899027,
        0.26686411844287494,  0.6029490182363604,    0.26686411844287494,
        -0.07822326652899027, -0.016864118442874953, 0.02674875741081009 };

static const double bior4_4_synthesis[]
    = { -0.09127176311425009, -0.05754352622850018, 0.5912717631142501,
        1.1150870524570005,   0.5912717631142501,   -0.05754352622850018,
        -0.09127176311425009 };

static const double bior5_5[]
    = { 0.028063009296323212,  0.00562016151510423, -0.038511714155084385,
        0.24437983848489578,   0.5208974097175223,  0.24437983848489578,
        -0.038511714155084385, 0.00562016151510423, 0.028063009296323212 };

static const double bior5_5_synthesis[]
    = { 0.01903066102242541,    -0.0038112587127012995, -0.1933323060974847,
        -0.13223561120961172,   0.6743016450750593,     1.2720937398446261,
        0.6743016450750593,     -0.13223561120961172,   -0.1933323060974847,
        -0.0038112587127012995, 0.01903066102242541 };

static const double bior6_8[]
    = { 0.001349747865012655,   -0.0013536047030044413, -0.012014196667083483,
        0.008439012039808296,   0.03516647330653814,    -0.05463331368252564,
        -0.06650990062485847,   0.29754790634572176,    0.5840157522407823,
        0.29754790634572176,    -0.06650990062485847,   -0.05463331368252564,
        0.03516647330653814,    0.008439012039808296,   -0.012014196667083483,
        -0.0013536047030044413, 0.001349747865012655 };

static const double bior6_8_synthesis[]
    = { 0.0204018443740767,   0.020460141638717094, -0.1113297215599753,
        -0.05708894343035879, 0.5909278771858986,   1.0732576035832835,
        0.5909278771858986,   -0.05708894343035879, -0.1113297215599753,
        0.020460141638717094, 0.0204018443740767 };

// What defines a wavelet: its low-pass filters. Everything else is derived.
typedef struct {
  const char *name;
  const char *label;
  OdlWaveletFamily family;
  const char *const *aliases;
  const double *analysis, *synthesis;
  int n_analysis, n_synthesis;
  int vanishing_moments;
  OdlLifting lifting;
  bool reversible;
} Row;

#define ROW(name_, label_, family_, analysis_, synthesis_, moments) \
  .name = (name_), .label = (label_), .family = ODL_WAVELET_##family_, \
  .analysis = (analysis_), .n_analysis = G_N_ELEMENTS (analysis_), \
  .synthesis = (synthesis_), .n_synthesis = G_N_ELEMENTS (synthesis_), \
  .vanishing_moments = (moments)

#define LIFTING_53 \
  { \
    2, { -0.5, 0.25 }, 1, 1 \
  }

// Named as in PyWavelets; bior2.2 and bior4.4 are JPEG 2000's 5/3 and 9/7, sym2 and sym3
// equal db2 and db3.
static const Row rows[] = {
  { ROW ("cdf97", "CDF 9/7", CDF, bior4_4, bior4_4_synthesis, 4),
    .aliases = (const char *const[]){ "9/7", "97", "bior4.4", NULL },
    .lifting
    = { 4,
        { -1.586134342059924, -0.052980118572961, 0.882911075530934, 0.443506852043971 },
        1 / 1.230174104914001,
        1.230174104914001 } },
  { ROW ("cdf53", "CDF 5/3", CDF, bior2_2, spline2, 2),
    .aliases = (const char *const[]){ "5/3", "53", "legall", "bior2.2", NULL },
    .lifting = LIFTING_53 },
  { ROW ("int53", "CDF 5/3 integer", CDF, bior2_2, spline2, 2),
    .aliases = (const char *const[]){ "5/3i", NULL }, .lifting = LIFTING_53,
    .reversible = true },
  { ROW ("haar", "Haar", DAUBECHIES, haar, haar, 1),
    .aliases = (const char *const[]){ "db1", "bior1.1", "rbio1.1", NULL } },
  { ROW ("db2", "Daubechies 2", DAUBECHIES, db2, db2, 2),
    .aliases = (const char *const[]){ "sym2", NULL } },
  { ROW ("db3", "Daubechies 3", DAUBECHIES, db3, db3, 3),
    .aliases = (const char *const[]){ "sym3", NULL } },
  { ROW ("db4", "Daubechies 4", DAUBECHIES, db4, db4, 4) },
  { ROW ("db5", "Daubechies 5", DAUBECHIES, db5, db5, 5) },
  { ROW ("db6", "Daubechies 6", DAUBECHIES, db6, db6, 6) },
  { ROW ("db7", "Daubechies 7", DAUBECHIES, db7, db7, 7) },
  { ROW ("db8", "Daubechies 8", DAUBECHIES, db8, db8, 8) },
  { ROW ("db9", "Daubechies 9", DAUBECHIES, db9, db9, 9) },
  { ROW ("db10", "Daubechies 10", DAUBECHIES, db10, db10, 10) },
  { ROW ("sym4", "Symlet 4", SYMLETS, sym4, sym4, 4) },
  { ROW ("sym5", "Symlet 5", SYMLETS, sym5, sym5, 5) },
  { ROW ("sym6", "Symlet 6", SYMLETS, sym6, sym6, 6) },
  { ROW ("sym7", "Symlet 7", SYMLETS, sym7, sym7, 7) },
  { ROW ("sym8", "Symlet 8", SYMLETS, sym8, sym8, 8) },
  { ROW ("sym9", "Symlet 9", SYMLETS, sym9, sym9, 9) },
  { ROW ("sym10", "Symlet 10", SYMLETS, sym10, sym10, 10) },
  { ROW ("coif1", "Coiflet 1", COIFLETS, coif1, coif1, 2) },
  { ROW ("coif2", "Coiflet 2", COIFLETS, coif2, coif2, 4) },
  { ROW ("coif3", "Coiflet 3", COIFLETS, coif3, coif3, 6) },
  { ROW ("coif4", "Coiflet 4", COIFLETS, coif4, coif4, 8) },
  { ROW ("coif5", "Coiflet 5", COIFLETS, coif5, coif5, 10) },
  { ROW ("bior1.3", "Biorthogonal 1.3", BIORTHOGONAL, bior1_3, haar, 1) },
  { ROW ("bior1.5", "Biorthogonal 1.5", BIORTHOGONAL, bior1_5, haar, 1) },
  { ROW ("bior2.4", "Biorthogonal 2.4", BIORTHOGONAL, bior2_4, spline2, 2) },
  { ROW ("bior2.6", "Biorthogonal 2.6", BIORTHOGONAL, bior2_6, spline2, 2) },
  { ROW ("bior2.8", "Biorthogonal 2.8", BIORTHOGONAL, bior2_8, spline2, 2) },
  { ROW ("bior3.1", "Biorthogonal 3.1", BIORTHOGONAL, bior3_1, spline3, 3) },
  { ROW ("bior3.3", "Biorthogonal 3.3", BIORTHOGONAL, bior3_3, spline3, 3) },
  { ROW ("bior3.5", "Biorthogonal 3.5", BIORTHOGONAL, bior3_5, spline3, 3) },
  { ROW ("bior3.7", "Biorthogonal 3.7", BIORTHOGONAL, bior3_7, spline3, 3) },
  { ROW ("bior3.9", "Biorthogonal 3.9", BIORTHOGONAL, bior3_9, spline3, 3) },
  { ROW ("bior5.5", "Biorthogonal 5.5", BIORTHOGONAL, bior5_5, bior5_5_synthesis, 6) },
  { ROW ("bior6.8", "Biorthogonal 6.8", BIORTHOGONAL, bior6_8, bior6_8_synthesis, 6) },
  { ROW ("rbio1.3", "Reverse bior 1.3", REVERSE, haar, bior1_3, 3) },
  { ROW ("rbio1.5", "Reverse bior 1.5", REVERSE, haar, bior1_5, 5) },
  { ROW ("rbio2.2", "Reverse bior 2.2", REVERSE, spline2, bior2_2, 2) },
  { ROW ("rbio2.4", "Reverse bior 2.4", REVERSE, spline2, bior2_4, 4) },
  { ROW ("rbio2.6", "Reverse bior 2.6", REVERSE, spline2, bior2_6, 6) },
  { ROW ("rbio2.8", "Reverse bior 2.8", REVERSE, spline2, bior2_8, 8) },
  { ROW ("rbio3.1", "Reverse bior 3.1", REVERSE, spline3, bior3_1, 1) },
  { ROW ("rbio3.3", "Reverse bior 3.3", REVERSE, spline3, bior3_3, 3) },
  { ROW ("rbio3.5", "Reverse bior 3.5", REVERSE, spline3, bior3_5, 5) },
  { ROW ("rbio3.7", "Reverse bior 3.7", REVERSE, spline3, bior3_7, 7) },
  { ROW ("rbio3.9", "Reverse bior 3.9", REVERSE, spline3, bior3_9, 9) },
  { ROW ("rbio4.4", "Reverse bior 4.4", REVERSE, bior4_4_synthesis, bior4_4, 4) },
  { ROW ("rbio5.5", "Reverse bior 5.5", REVERSE, bior5_5_synthesis, bior5_5, 4) },
  { ROW ("rbio6.8", "Reverse bior 6.8", REVERSE, bior6_8_synthesis, bior6_8, 8) },
};

static const char *const no_aliases[] = { NULL };

const char *const odl_wavelet_family_labels[ODL_WAVELET_N_FAMILIES] = {
  [ODL_WAVELET_CDF] = N_ ("JPEG 2000"),
  [ODL_WAVELET_DAUBECHIES] = N_ ("Daubechies"),
  [ODL_WAVELET_SYMLETS] = N_ ("Symlets"),
  [ODL_WAVELET_COIFLETS] = N_ ("Coiflets"),
  [ODL_WAVELET_BIORTHOGONAL] = N_ ("Biorthogonal"),
  [ODL_WAVELET_REVERSE] = N_ ("Reverse biorthogonal"),
};

// ---- Derived from a row ----

// `count` taps scaled to the sum `gain` and shifted so that the centre of gravity lies
// within half a sample of 0: coefficients then align with the picture's edges.
static OdlTaps
low_pass (const double *values, int count, double gain)
{
  OdlTaps taps = { .count = count };
  double sum = 0, moment = 0;

  g_assert (count <= ODL_WAVELET_MAX_TAPS);
  for (int i = 0; i < count; i++) {
    sum += values[i];
    moment += i * values[i];
  }
  taps.first = -(int) ceil (moment / sum - 0.5 - 1e-6); // 0.5 becomes 0: Haar
  for (int i = 0; i < count; i++)
    taps.value[i] = values[i] * gain / sum;
  return taps;
}

static double
tap_at (const OdlTaps *taps, int offset)
{
  const int i = offset - taps->first;

  return i >= 0 && i < taps->count ? taps->value[i] : 0;
}

static double
sign_of (int offset)
{
  return offset % 2 == 0 ? 1 : -1;
}

// The high-pass filter of a biorthogonal pair: the other side's low-pass h (−k),
// modulated to the Nyquist frequency.
static OdlTaps
high_pass (const OdlTaps *low)
{
  OdlTaps taps = { .first = 1 - low->first - low->count, .count = low->count };

  for (int i = 0; i < taps.count; i++)
    taps.value[i] = sign_of (taps.first + i) * tap_at (low, -(taps.first + i));
  return taps;
}

// Polyphase component of synthesis for samples of one parity, as taps on interleaved
// coefficients: x[n] = Σ low[m] s (n − 2m) + Σ high[m] t (n − 2m − 1).
static OdlTaps
interleave (const OdlTaps *low, const OdlTaps *high, int parity)
{
  const int first = 1 - MAX (low->first + low->count, high->first + high->count);
  const int last = -MIN (low->first, high->first);
  OdlTaps taps = { 0 };

  for (int k = first; k <= last; k++) {
    const double value = tap_at ((k + parity) % 2 == 0 ? low : high, -k);
    if (value == 0 && taps.count == 0)
      continue;
    if (taps.count == 0)
      taps.first = k;
    g_assert (k - taps.first < ODL_WAVELET_MAX_TAPS);
    taps.value[k - taps.first] = value;
    if (value != 0)
      taps.count = k - taps.first + 1;
  }
  return taps;
}

// Stationary synthesis filter of one band: half the sum of the taps of both polyphase
// components on that band.
static OdlTaps
stationary (const OdlWavelet *wavelet, int band)
{
  const OdlTaps *filters[2] = { &wavelet->synthesis_even, &wavelet->synthesis_odd };
  const int first = MIN (filters[0]->first, filters[1]->first);
  const int end = MAX (filters[0]->first + filters[0]->count,
                       filters[1]->first + filters[1]->count);
  OdlTaps taps = { 0 };

  for (int k = first; k < end; k++) {
    const double value = tap_at (filters[(k + band) & 1], k) / 2;
    if (value != 0 && taps.count == 0)
      taps.first = k;
    if (value == 0)
      continue;
    g_assert (k - taps.first < ODL_WAVELET_MAX_TAPS);
    taps.count = k - taps.first + 1;
    taps.value[taps.count - 1] = value;
  }
  return taps;
}

static double
norm_of (const OdlTaps *taps)
{
  double sum = 0;

  for (int i = 0; i < taps->count; i++)
    sum += taps->value[i] * taps->value[i];
  return sqrt (sum);
}

static bool
is_symmetric (const double *values, int count)
{
  for (int i = 0; i < count / 2; i++)
    if (values[i] != values[count - 1 - i])
      return false;
  return count % 2 == 1;
}

// Borders that allow perfect reconstruction. Whole-sample folding suits filters
// symmetric about a sample; the periodic border suits all; zeros suit two-tap filters,
// which do not reach beyond their pair. (bior1.x, one lifting step away from Haar, would
// also reconstruct with zeros but darkens the edges.)
static unsigned
borders_of (const Row *row)
{
  if (is_symmetric (row->analysis, row->n_analysis))
    return 1u << ODL_BORDER_WHOLE_SAMPLE
           | (row->reversible ? 0 : 1u << ODL_BORDER_PERIODIC);
  if (row->n_analysis == 2 && row->n_synthesis == 2)
    return 1u << ODL_BORDER_PERIODIC | 1u << ODL_BORDER_ZERO;
  return 1u << ODL_BORDER_PERIODIC;
}

static void
derive (const Row *row, OdlWavelet *wavelet)
{
  const OdlTaps synthesis_low = low_pass (row->synthesis, row->n_synthesis, 2);

  wavelet->name = row->name;
  wavelet->label = row->label;
  wavelet->family = row->family;
  wavelet->aliases = row->aliases != NULL ? row->aliases : no_aliases;
  wavelet->lifting = row->lifting;
  wavelet->reversible = row->reversible;
  wavelet->vanishing_moments = row->vanishing_moments;
  wavelet->analysis_low = low_pass (row->analysis, row->n_analysis, 1);
  wavelet->analysis_high = high_pass (&synthesis_low);

  const OdlTaps synthesis_high = high_pass (&wavelet->analysis_low);
  wavelet->synthesis_even = interleave (&synthesis_low, &synthesis_high, 0);
  wavelet->synthesis_odd = interleave (&synthesis_low, &synthesis_high, 1);
  wavelet->stationary_low = stationary (wavelet, 0);
  wavelet->stationary_high = stationary (wavelet, 1);
  wavelet->borders = borders_of (row);
  while ((wavelet->borders & 1u << wavelet->border) == 0)
    wavelet->border++;
  wavelet->l2_low = norm_of (&wavelet->analysis_low);
  wavelet->l2_high = norm_of (&wavelet->analysis_high);
}

// Built once; immutable for the life of the program.
static const OdlWavelet *
all_wavelets (void)
{
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    OdlWavelet *wavelets = g_new0 (OdlWavelet, G_N_ELEMENTS (rows));
    for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
      derive (&rows[i], &wavelets[i]);
    g_once_init_leave (&made, (gsize) wavelets);
  }
  return (const OdlWavelet *) made;
}

int
odl_taps_reach (const OdlTaps *taps)
{
  return MAX (abs (taps->first), abs (taps->first + taps->count - 1));
}

size_t
odl_wavelet_count (void)
{
  return G_N_ELEMENTS (rows);
}

const OdlWavelet *
odl_wavelet_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (rows), NULL);
  return &all_wavelets ()[index];
}

const OdlWavelet *
odl_wavelet_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    if (g_ascii_strcasecmp (wavelet->name, name) == 0)
      return wavelet;
    for (const char *const *alias = wavelet->aliases; *alias != NULL; alias++)
      if (g_ascii_strcasecmp (*alias, name) == 0)
        return wavelet;
  }
  return NULL;
}

// Compares names ignoring case and punctuation: "bior44", "CDF 9/7" and "db-4" match.
static bool
sounds_like (const char *a, const char *b)
{
  for (;; a++, b++) {
    while (*a != '\0' && !g_ascii_isalnum (*a))
      a++;
    while (*b != '\0' && !g_ascii_isalnum (*b))
      b++;
    if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
      return false;
    if (*a == '\0')
      return true;
  }
}

// The similar name or alias; NULL if there is none.
static const char *
guess (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    if (sounds_like (wavelet->name, name) || sounds_like (wavelet->label, name))
      return wavelet->name;
    for (const char *const *alias = wavelet->aliases; *alias != NULL; alias++)
      if (sounds_like (*alias, name))
        return *alias;
  }
  return NULL;
}

char *
odl_wavelet_unknown (const char *name)
{
  const char *meant = guess (name);
  g_autoptr (GString) known = g_string_new (NULL);

  if (meant != NULL)
    return g_strdup_printf (_ ("“%s” is not a wavelet; did you mean “%s”?"), name, meant);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", rows[i].name);
  return g_strdup_printf (_ ("“%s” is not a wavelet; choose one of: %s"), name,
                          known->str);
}

double
odl_wavelet_round (double x)
{
  return copysign (floor (fabs (x) + ODL_WAVELET_ROUND), x);
}
