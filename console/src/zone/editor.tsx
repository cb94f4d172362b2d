import { Alert, Button, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useReducer, useRef, useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { ColorField } from "../component/color-field.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { isChanged, reduceDrawing, shapeOf, startDrawing } from "../map/drawing/drawing.ts";
import { EditorPage, useProblems } from "../map/drawing/editor-page.tsx";
import { type LngLat, MAX_RADIUS_M, type ShapeType } from "../map/drawing/shape.ts";
import { VertexTable } from "../map/drawing/vertex-table.tsx";
import { call } from "../session/api.ts";
import { useUser } from "../session/user.tsx";
import { namesOfTags, requireTags, type Tag, tagsQuery } from "../tag/queries.ts";
import { TagField } from "../tag/tag-field.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { DeleteZone } from "./delete-zone.tsx";
import { toArea, ZONE_KEY, zonesQuery } from "./queries.ts";
import { useVisits, Visits } from "./visits.tsx";
import { toOutline, toShape, type Zone } from "./zone-shape.ts";

const DEFAULT_COLOR = "27A9E3";
const MAX_NAME_CHARS = 255;

type ZoneEditorProps = { zone: Zone | undefined; type: ShapeType; tags: Tag[]; children?: ReactNode };
type Members = { label: string; color: string; tags: string[] };

/** Draws a zone, names it, and shows who would have been inside. */
export function ZoneEditor({ zone, type, tags, children }: ZoneEditorProps) {
  const mayEdit = useUser().can("zone_update");
  const [drawing, dispatch] = useReducer(reduceDrawing, zone ? toShape(zone) : type, startDrawing);
  const [first] = useState(() => membersOf(zone, tags));
  const [members, setMembers] = useState(first);
  const centerOfMap = useRef<() => LngLat>(undefined);
  const hasLeft = useRef(false);
  const shape = shapeOf(drawing);
  const problems = useProblems(drawing);
  const visits = useVisits(shape);
  const save = useSaveZone(zone, tags, () => (hasLeft.current = true));
  const others = useOthers(zone);
  const canSave = !problems.isBlocking && members.label.trim() !== "";
  return (
    <EditorPage
      {...{ drawing, dispatch, others, mayEdit, centerOfMap, color: members.color, visits: visits.positions }}
      isChanged={() => !hasLeft.current && (isChanged(drawing) || members !== first)}
      onSubmit={() => canSave && save.mutate({ members, outline: toOutline(shape, zone) })}
      fields={
        <>
          <ZoneHeader zone={zone} />
          <Stack gap="sm">
            {children}
            <MemberFields {...{ members, tags, mayEdit }} onChange={setMembers} />
            {shape.type !== "polygon" && (
              <RadiusField
                {...{ type, mayEdit, radius: shape.radius }}
                onChange={(meters) => dispatch({ type: "radius", meters })}
              />
            )}
            {problems.texts.map(({ key, text }) => (
              <Alert key={key} color="orange" variant="light" p="xs">
                <Text size="sm">{text}</Text>
              </Alert>
            ))}
          </Stack>
          <VertexTable
            {...{ shape, dispatch, selected: drawing.selected, isReadOnly: !mayEdit }}
            centerOfMap={() => centerOfMap.current?.()}
          />
          <Visits {...visits} isDisabled={problems.isBlocking} />
          {save.error && <Refusal error={save.error} />}
        </>
      }
      buttons={<Buttons {...{ zone, canSave, isSaving: save.isPending }} onDelete={() => (hasLeft.current = true)} />}
    />
  );
}

function membersOf(zone: Zone | undefined, tags: Tag[]): Members {
  return { label: zone?.label ?? "", color: zone?.color ?? DEFAULT_COLOR, tags: namesOfTags(zone?.tags, tags) };
}

function ZoneHeader({ zone }: { zone: Zone | undefined }) {
  const { zone: words } = useTexts();
  return (
    <PageHeader
      title={zone?.label ?? words.new}
      above={<BackLink to="/zones" label={words.all} />}
      {...(zone ? { subtitle: words.types[zone.type] } : {})}
    />
  );
}

type MemberFieldsProps = { members: Members; tags: Tag[]; mayEdit: boolean; onChange(members: Members): void };

function MemberFields({ members, tags, mayEdit, onChange }: MemberFieldsProps) {
  const { zone: words } = useTexts();
  return (
    <>
      <TextInput
        label={words.name}
        required
        maxLength={MAX_NAME_CHARS}
        value={members.label}
        readOnly={!mayEdit}
        onChange={(event) => onChange({ ...members, label: event.currentTarget.value })}
      />
      <ColorField
        label={words.color}
        value={members.color}
        readOnly={!mayEdit}
        onChange={(color) => onChange({ ...members, color })}
      />
      <TagField
        tags={tags}
        value={members.tags}
        readOnly={!mayEdit}
        onChange={(names) => onChange({ ...members, tags: names })}
      />
    </>
  );
}

type RadiusFieldProps = { type: ShapeType; radius: number; mayEdit: boolean; onChange(meters: number): void };

function RadiusField({ type, radius, mayEdit, onChange }: RadiusFieldProps) {
  const { zone: words } = useTexts();
  return (
    <NumberInput
      label={type === "circle" ? words.radius : words.width}
      suffix=" m"
      min={1}
      max={MAX_RADIUS_M}
      step={10}
      allowDecimal={false}
      value={radius}
      readOnly={!mayEdit}
      onChange={(value) => onChange(Number(value) || 0)}
    />
  );
}

type ButtonsProps = { zone: Zone | undefined; canSave: boolean; isSaving: boolean; onDelete(): void };

function Buttons({ zone, canSave, isSaving, onDelete }: ButtonsProps) {
  const { zone: words } = useTexts();
  return (
    <>
      <Button type="submit" disabled={!canSave} loading={isSaving}>
        {words.save}
      </Button>
      <Button component={Link} to="/zones" variant="default">
        {words.cancel}
      </Button>
      {zone && <DeleteZone zone={zone} onDelete={onDelete} />}
    </>
  );
}

function useOthers(zone: Zone | undefined) {
  const { data } = useQuery(zonesQuery);
  return useMemo(() => (data ?? []).filter(({ id }) => id !== zone?.id).map(toArea), [data, zone]);
}

type Saved = { members: Members; outline: ReturnType<typeof toOutline> };

/** Stores the zone, with the tags that are new, and leads to the list. */
function useSaveZone(zone: Zone | undefined, known: Tag[], onSaved: () => void) {
  const texts = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    async mutationFn({ members, outline }: Saved) {
      const tags = await requireTags(members.tags, known);
      const label = members.label.trim();
      const changed = { ...outline, label, color: members.color, tags };
      if (zone) await call("/zone/update", { zone: { ...changed, id: zone.id } });
      else await call("/zone/create", { zone: changed });
      return label;
    },
    // New tags are there also if the rest failed: the next attempt must not make them again.
    onSettled: () => queries.invalidateQueries({ queryKey: tagsQuery.queryKey }),
    async onSuccess(label) {
      onSaved();
      noticeSuccess(texts.zone.saved(label), texts);
      void queries.invalidateQueries({ queryKey: ZONE_KEY });
      await navigate({ to: "/zones" });
    },
  });
}
