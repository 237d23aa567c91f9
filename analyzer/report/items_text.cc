#include "analyzer/report/items_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/report/markdown_text.h"
#include "analyzer/report/page.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

using State = CheckItem::State;

constexpr int kIndent = 2, kHang = 12;

std::vector<const CheckItem*> In(const std::vector<CheckItem>& items, State state) {
  std::vector<const CheckItem*> found;
  for (const CheckItem& item : items) {
    if (item.state == state) found.push_back(&item);
  }
  return found;
}

std::string Summary(const std::vector<CheckItem>& items) {
  return fmt::format("{} as recorded, {} cannot be told here", Count(In(items, State::kOk).size(), "item"),
                     In(items, State::kUntold).size());
}

std::string Head(const CheckItem& item) {
  return item.manifest_line ? fmt::format("{}, line {}", item.item, *item.manifest_line) : item.item;
}

int NameWidth(const std::vector<const CheckItem*>& items, int width) {
  size_t widest = 0;
  for (const CheckItem* item : items) widest = std::max(widest, item->item.size());
  return static_cast<int>(std::min<size_t>(widest, static_cast<size_t>(width) / 2));
}

void WriteDifference(const CheckItem& item, Page* page) {
  page->Blank();
  const Paint paint = item.harmless ? Paint::kWarn : Paint::kBad;
  page->Entry(kIndent, "differs", paint, kHang, Head(item), Paint::kBold);
  if (item.observed && item.manifest && item.observed != item.manifest) {
    page->Entry(kIndent, "manifest", Paint::kDim, kHang, ValueInWords(item.manifest));
    page->Entry(kIndent, "here", Paint::kDim, kHang, ValueInWords(item.observed));
  }
  if (!item.where.empty()) page->Entry(kIndent, "where", Paint::kDim, kHang, item.where);
  page->Entry(kIndent, "why", Paint::kDim, kHang, item.message);
  if (item.harmless) page->Text(kHang, "It cannot make this torch tune again.", Paint::kDim);
  if (!item.fix.empty()) page->Verbatim(kIndent, "fix", Paint::kDim, kHang, item.fix, Paint::kCommand);
}

}  // namespace

std::string ItemsAsText(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
                        const ReportStyle& style) {
  Page page(style.width, style.color);
  const auto differ = In(items, State::kDiffers), ok = In(items, State::kOk), untold = In(items, State::kUntold);
  const std::string of = fmt::format("{} {}", path, root.empty() ? "on this machine" : fmt::format("in {}", root));
  if (differ.empty()) {
    page.Entry(0, "OK", Paint::kGood, 10, fmt::format("{}: {}", of, Summary(items)));
  } else {
    page.Entry(0, "DIFFERS", Paint::kBad, 10,
               fmt::format("{}: {} {}, {}", of, Count(differ.size(), "item"), differ.size() == 1 ? "differs" : "differ",
                           Summary(items)));
  }
  for (const CheckItem* item : differ) WriteDifference(*item, &page);
  if (style.quiet) return page.Take();
  if (!ok.empty()) {
    page.Section("As recorded", Count(ok.size(), "item"));
    const int name = NameWidth(ok, page.width());
    const int left = std::max(page.width() - kIndent - name - 4, 16), value = left / 2;
    for (const CheckItem* item : ok) {
      const std::string& beside = item->message.empty() ? item->where : item->message;
      page.Row(kIndent,
               {{item->item, name},
                {ValueInWords(item->observed), value, false, item->observed == "" ? Paint::kDim : Paint::kPlain},
                {beside, 0, false, Paint::kDim}});
    }
  }
  if (!untold.empty()) {
    page.Section("Cannot be told here", Count(untold.size(), "item"));
    // One reason often holds for many items.
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const CheckItem* item : untold) {
      const auto known = std::find_if(reasons.begin(), reasons.end(),
                                      [&](const auto& reason) { return reason.first == item->message; });
      if (known == reasons.end()) {
        reasons.emplace_back(item->message, item->item);
      } else {
        known->second += ", " + item->item;
      }
    }
    for (const auto& [reason, names] : reasons) {
      page.Text(kIndent, names);
      page.Text(2 * kIndent, reason, Paint::kDim);
    }
  }
  return page.Take();
}

std::string ItemsAsMarkdown(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
                            bool quiet) {
  const auto differ = In(items, State::kDiffers);
  std::string text =
      fmt::format("### {} {}: {}\n", MarkdownCode(path), root.empty() ? "on this machine" : "in " + MarkdownCode(root),
                  differ.empty() ? "nothing differs" : Count(differ.size(), "difference"));
  const auto value = [](const std::optional<std::string>& v) {
    return !v ? std::string() : v->empty() ? "not set" : MarkdownCode(*v, true);
  };
  for (const auto& [state, title] :
       {std::pair(State::kDiffers, "Differs"), {State::kOk, "As recorded"}, {State::kUntold, "Cannot be told here"}}) {
    const auto some = In(items, state);
    if (some.empty() || (quiet && state != State::kDiffers)) continue;
    text += fmt::format(
        "\n**{}**\n\n| item | line | manifest | here | where | why | fix |\n"
        "|---|---:|---|---|---|---|---|\n",
        title);
    for (const CheckItem* item : some) {
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", MarkdownCode(item->item, true),
                          item->manifest_line ? fmt::format("{}", *item->manifest_line) : "", value(item->manifest),
                          value(item->observed), item->where.empty() ? "" : MarkdownCode(item->where, true),
                          MarkdownText(item->message), item->fix.empty() ? "" : MarkdownCode(item->fix, true));
    }
  }
  return text;
}

}  // namespace autotune
