// Words of ${lane_bits} bits side by side, if the compiler has vectors of them: one in each lane.
#if !defined(__GNUC__)
#define ${NAME}_LANES 1
{% if lanes %}
#else
#define ${NAME}_LANES ${lanes}
// Vectors that are wider than those of the processor are passed to functions of this file alone.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
{% else %}
#elif defined(__AVX512F__)
#define ${NAME}_LANES ${512 // lane_bits}
#elif defined(__AVX2__)
#define ${NAME}_LANES ${256 // lane_bits}
#elif defined(__SSE2__) || defined(__ARM_NEON)
#define ${NAME}_LANES ${128 // lane_bits}
#else
#define ${NAME}_LANES 1
#endif
{% endif %}

#if ${NAME}_LANES > 1
typedef uint${lane_bits}_t ${name}_lanes __attribute__((vector_size(${lane_bits // 8} * ${NAME}_LANES)));
#else
typedef uint${lane_bits}_t ${name}_lanes;
#endif

