#include <heddle/sim/graph/event.hpp>

namespace heddle::sim::graph {

namespace {

std::uint64_t mask_of(std::uint8_t size) noexcept {
  return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (size * 8)) - 1;
}

}  // namespace

RmwEffect apply(const runtime::rmw_operation& operation, const value& old) noexcept {
  using runtime::rmw_kind;
  const std::uint64_t mask = mask_of(operation.size);
  const std::uint64_t operand = operation.operand.low;
  switch (operation.kind) {
    case rmw_kind::exchange:
      return {true, operation.operand};
    case rmw_kind::add:
      return {true, {(old.low + operand) & mask, 0}};
    case rmw_kind::subtract:
      return {true, {(old.low - operand) & mask, 0}};
    case rmw_kind::bit_and:
      return {true, {old.low & operand & mask, old.high & operation.operand.high}};
    case rmw_kind::bit_or:
      return {true, {(old.low | operand) & mask, old.high | operation.operand.high}};
    case rmw_kind::bit_xor:
      return {true, {(old.low ^ operand) & mask, 0}};
    case rmw_kind::maximum:
      return {true, {old.low > operand ? old.low : operand, 0}};
    case rmw_kind::exchange_nonzero:
      return {!(old == value{}), operation.operand};
    case rmw_kind::clear_bits: {
      const value cleared{old.low & ~operand, old.high & ~operation.operand.high};
      return {!(cleared == old), cleared};
    }
    case rmw_kind::compare_exchange:
      if (old == operation.expected) return {true, operation.operand};
      return {false, old};
  }
  return {false, old};
}

}  // namespace heddle::sim::graph
